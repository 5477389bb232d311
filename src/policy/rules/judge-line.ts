import { quoteValue } from '../../lib/text/quote-value.ts';
import type { CommandDecision, CommandRule, Places } from './command-rule.ts';
import { type Judgement, judgeCommand } from './judge-command.ts';
import type { LineCommand, LinePlan, LineRedirect } from './parse-plan.ts';

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
    const shown = quoteValue(command.args[late.arg] ?? '');
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
  if ('to' in redirect) return ` into ${quoteValue(redirect.to)}`;
  return 'from' in redirect ? ` from ${quoteValue(redirect.from)}` : '';
}
