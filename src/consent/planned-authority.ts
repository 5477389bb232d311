import type { PlannedCapability, Step } from '../contracts/plan.ts';
import type { PluginPermission } from '../policy/decide.ts';

/**
 * The policy's present verdict on each capability that a plugin of a plan wants, root by root.
 *
 * @param command the program of a step, if it is known before the step runs: rules and grants are
 *   about single programs
 */
export function plannedAuthority(
  plugin: { capabilities: readonly string[] },
  { denied, asked, roots, writeRoots }: PluginPermission,
  command?: { program: string; decision: PlannedCapability['decision'] },
): PlannedCapability[] {
  return plugin.capabilities.flatMap((capability): PlannedCapability[] => {
    if (denied[capability] !== undefined) return [{ capability, decision: 'deny' }];
    if (capability === 'exec' && command !== undefined) {
      const { program: detail, decision } = command;
      return [{ capability, detail, decision }];
    }
    if (asked.includes(capability)) return [{ capability, decision: 'ask' }];
    if (capability !== 'fs' && capability !== 'fs-write') {
      return [{ capability, decision: 'allow' }];
    }
    return (capability === 'fs' ? roots : writeRoots).map((detail) => ({
      capability,
      detail,
      decision: 'allow',
    }));
  });
}

/** A command line as the rules on programs judge it. */
export type PlannedCommand = { program: string; args: readonly string[]; cwd: string };

/**
 * Tools of the built-in plugin `git` that run a looking subcommand and nothing else, whatever their
 * input.
 */
const subcommands: ReadonlyMap<string, string> = new Map([
  ['git.status', 'status'],
  ['git.diff', 'diff'],
  ['git.log', 'log'],
  ['git.show', 'show'],
  ['git.blame', 'blame'],
  ['git.branches', 'for-each-ref'],
]);

/**
 * The one command that a step of a built-in plugin comes to, as far as a plan can tell it before
 * anything runs.
 */
export function plannedCommand({
  tool,
  input,
}: Pick<Step, 'tool' | 'input'>): PlannedCommand | undefined {
  const subcommand = subcommands.get(tool);
  if (subcommand !== undefined) return git(subcommand);
  const { action } = input;
  if (tool === 'git.stash' && (action === 'list' || action === 'show')) return git('stash', action);
  return tool === 'shell.run' ? plainCommand(input) : undefined;
}

/** A line of words that mean what they are: no quotes, patterns, variables, pipes or `cd`. */
const plainLine = /^(?!cd\b)[\w./+-]+(?: +[\w./+:=@,-]+)*$/;

/** The programs of other lines are known after the shell has parsed them. */
function plainCommand({ command, cwd, session }: Step['input']): PlannedCommand | undefined {
  if (typeof command !== 'string' || cwd !== undefined || session !== undefined) return undefined;
  if (!plainLine.test(command)) return undefined;
  const [program = '', ...args] = command.split(/ +/);
  return { program, args, cwd: 'work:' };
}

function git(...args: string[]): PlannedCommand {
  return { program: 'git', args, cwd: 'work:' };
}
