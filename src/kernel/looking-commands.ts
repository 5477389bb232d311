import type { Step } from '../contracts/plan.ts';

/** A command line as the rules on programs judge it. */
export type PlannedCommand = { program: string; args: readonly string[]; cwd: string };

/**
 * Tools of the built-in plugin `git` that run a looking subcommand and nothing else, whatever their
 * input. What other tools run is known only when they run it.
 */
const subcommands: ReadonlyMap<string, string> = new Map([
  ['git.status', 'status'],
  ['git.diff', 'diff'],
  ['git.log', 'log'],
  ['git.show', 'show'],
  ['git.blame', 'blame'],
  ['git.branches', 'for-each-ref'],
]);

/** The command that a step comes to, as far as a plan can tell it before anything runs. */
export function lookingCommand({
  tool,
  input,
}: Pick<Step, 'tool' | 'input'>): PlannedCommand | undefined {
  const subcommand = subcommands.get(tool);
  if (subcommand !== undefined) return git(subcommand);
  const { action } = input;
  if (tool === 'git.stash' && (action === 'list' || action === 'show')) return git('stash', action);
  return undefined;
}

function git(...args: string[]): PlannedCommand {
  return { program: 'git', args, cwd: 'work:' };
}
