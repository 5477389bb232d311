import { quoteValue } from '../../lib/text/quote-value.ts';
import {
  type Command,
  type CommandDecision,
  type CommandRule,
  innerCommands,
  type Places,
} from './command-rule.ts';
import { matchRule } from './match-rule.ts';
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
  const reason = misfit ?? asked?.reason ?? `no rule knows ${quoteValue(command.program)}`;
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
    return `${quoteValue(command.program)} may be another program than ${name}`;
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
