import { quoteText } from '../../lib/text/escape.ts';
import {
  type Command,
  type CommandDecision,
  type CommandRule,
  innerCommands,
  type Places,
} from './command-rule.ts';
import { matchRule } from './match-rule.ts';
import type { LineCommand, LinePlan, LineRedirect } from './parse-plan.ts';
import { cwdProblem } from './path-problem.ts';

export type Judgement = {
  decision: CommandDecision;
  /** name of the rule that decides; `default` when none does */
  rule: string;
  reason: string;
  /** true when it is known to write nothing: the workspace can be read-only while it runs */
  reader: boolean;
};

/**
 * The verdict on a command: a shipped denial first, then the user's rules, the strictest first,
 * then the shipped rules; else `ask` by the rule `default`.
 *
 * @param rules of `loadRules`
 * @param places absolute folders that a path may name beside relative ones
 */
export function judgeCommand(
  command: Command,
  rules: readonly CommandRule[],
  places: Places = {},
): Judgement {
  const denied = [command, ...innerCommands(command)];
  const find = (source: CommandRule['source'], decision: CommandDecision) => {
    const commands = decision === 'deny' ? denied : [command];
    return rules.find(
      (rule) =>
        rule.source === source &&
        rule.decision === decision &&
        commands.some((each) => matchRule(rule, each, places).matches),
    );
  };
  const mayAllow = vectorProblem(command, places);
  const found =
    find('shipped', 'deny') ??
    find('user', 'deny') ??
    find('user', 'ask') ??
    (mayAllow === undefined ? (find('user', 'allow') ?? find('shipped', 'allow')) : undefined);
  if (found !== undefined) {
    const { name: rule, decision, reason, source } = found;
    return { decision, rule, reason, reader: decision === 'allow' && source === 'shipped' };
  }
  const misfit = mayAllow ?? closestMisfit(command, rules, places);
  const asked = find('shipped', 'ask');
  const reason = misfit ?? asked?.reason ?? `no rule knows ${quoteText(command.program)}`;
  return { decision: 'ask', rule: asked?.name ?? 'default', reason, reader: false };
}

/** A fault for which no rule may allow the command, whatever the program. */
function vectorProblem({ program, args, cwd }: Command, places: Places): string | undefined {
  if (program === '') return 'there is no program';
  if ([program, ...args].some((each) => each.includes('\0'))) return 'an argument has a NUL';
  const problem = cwdProblem(cwd, places);
  return problem === undefined ? undefined : `the folder ${problem}`;
}

function closestMisfit(
  command: Command,
  rules: readonly CommandRule[],
  places: Places,
): string | undefined {
  const name = command.program.slice(command.program.lastIndexOf('/') + 1);
  const about = rules.filter((rule) => rule.decision === 'allow' && rule.programs.has(name));
  if (about.length === 0) return undefined;
  if (command.program !== name) {
    return `${quoteText(command.program)} may be another program than ${name}`;
  }
  const subcommand = command.args.find((arg) => !arg.startsWith('-'));
  const closest =
    about.find(
      ({ shape }) => shape.form === 'options' && shape.subcommand[0] === (subcommand ?? ''),
    ) ?? about.find(({ shape }) => shape.form === 'options' && shape.subcommand.length === 0);
  if (closest === undefined) return undefined;
  const match = matchRule(closest, command, places);
  return match.matches ? undefined : `${name}: ${match.misfit}`;
}

const strictness: Readonly<Record<CommandDecision, number>> = { allow: 0, ask: 1, deny: 2 };

/**
 * The verdict on a whole line: each of its programs is judged by itself, and the strictest verdict
 * decides; of equals the first. A redirection is always asked about.
 */
export function judgeLine(
  plan: LinePlan,
  rules: readonly CommandRule[],
  places: Places = {},
): Judgement {
  const judged = plan.pipelines
    .flatMap(({ commands }) => commands)
    .flatMap((command) => judgeOne(command, rules, places));
  const [first, ...others] = judged;
  if (first === undefined) {
    return asked('default', 'there is no command');
  }
  const strictest = others.reduce(
    (found, each) => (strictness[each.decision] > strictness[found.decision] ? each : found),
    first,
  );
  return { ...strictest, reader: judged.every(({ reader }) => reader) };
}

function judgeOne(
  command: LineCommand,
  rules: readonly CommandRule[],
  places: Places,
): Judgement[] {
  const inner = innerOf(command).flatMap((each) => judgeOne(each, rules, places));
  if (command.kind !== 'program') {
    const reason = command.kind === 'cd' ? 'stays in the workspace' : 'sets a variable of the line';
    return [...inner, { decision: 'allow', rule: command.kind, reason, reader: true }];
  }
  const judged = [...inner, judgeCommand(command, rules, places)];
  const [late] = command.late ?? [];
  if (late !== undefined) {
    const shown = quoteText(command.args[late.arg] ?? '');
    const reason = `${command.program}: ${shown} is known when the line runs, and judged then`;
    judged.push(asked('substitution', reason));
  }
  if (command.unknown !== undefined) judged.push(asked('not-understood', command.unknown));
  // A here-document is text of the line itself, like a pipe, and names no file.
  const redirect = command.redirects.find((each) => !('text' in each));
  if (redirect !== undefined) {
    const reason = `${command.program} has a redirection${fileOf(redirect)}`;
    const raw = command.redirects.find((each) => 'to' in each && isDevice(each.to));
    if (raw === undefined) judged.push(asked('redirection', reason));
    else judged.push({ ...asked('redirection', `${reason}, a device`), decision: 'deny' });
  }
  return judged;
}

/** The commands whose output is put into this one. */
function innerOf(command: LineCommand): LineCommand[] {
  if (command.kind === 'cd') return [];
  return (command.late ?? [])
    .flatMap(({ parts }) => parts)
    .flatMap((part) => ('pipelines' in part ? part.pipelines : []))
    .flatMap(({ commands }) => commands);
}

/** A device such as a disk; `/dev/null` and its like are no danger. */
function isDevice(path: string): boolean {
  return /^\/+dev\/+(?!(?:null|zero|full|tty|stdin|stdout|stderr|fd\/\d+)$)./.test(path);
}

function asked(rule: string, reason: string): Judgement {
  return { decision: 'ask', rule, reason, reader: false };
}

function fileOf(redirect: LineRedirect): string {
  if ('to' in redirect) return ` into ${quoteText(redirect.to)}`;
  return 'from' in redirect ? ` from ${quoteText(redirect.from)}` : '';
}
