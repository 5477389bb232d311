import { join } from 'node:path';
import { programPaths } from '../../config/paths.ts';
import type { Config } from '../../contracts/config.ts';
import type { JudgeCommand } from '../../contracts/consent.ts';
import { createContentGate } from '../../contracts/content-gate.ts';
import { KernelError } from '../../contracts/error.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import type { ListedRule, TestedCommand } from '../../contracts/output/parse-setup.ts';
import type { ToolInvoker } from '../../contracts/tool.ts';
import { protectedBelow, workRoot } from '../../lib/files/paths.ts';
import { readTextIfPresent } from '../../lib/files/read-file.ts';
import type { CommandRule, Places } from '../../policy/rules/command-rule.ts';
import { judgeCommand, judgeLine } from '../../policy/rules/judge-command.ts';
import { loadRules, readShippedRules } from '../../policy/rules/load-rules.ts';
import { type LinePlan, parsePlan } from '../../policy/rules/parse-plan.ts';
import type { ProgramSandbox } from '../../programs/exec/find-sandbox.ts';

/** The rules on programs as they hold now. */
export type CommandRules = () => readonly CommandRule[];

/**
 * The shipped rules and those of `rules.toml`, which is read at every use because a person may edit
 * it, and checked again after a change. Files of a project add nothing. Rules of a set hold only
 * when a person named that set.
 *
 * @throws {KernelError} `invalid-argument` for a set without rules
 */
export function openCommandRules(home: string, set?: string): CommandRules {
  const shipped = readShippedRules(programPaths().rules);
  let known: { text: string | undefined; rules: readonly CommandRule[] } | undefined;
  const rules = (): readonly CommandRule[] => {
    const text = readTextIfPresent(join(home, 'rules.toml'));
    if (known === undefined || known.text !== text)
      known = { text, rules: loadRules(shipped, text) };
    return known.rules;
  };
  if (set !== undefined) requireSet(rules(), set);
  return () => rules().filter((rule) => rule.set === undefined || rule.set === set);
}

function requireSet(rules: readonly CommandRule[], set: string): void {
  const sets = [...new Set(rules.flatMap((rule) => rule.set ?? []))];
  if (sets.includes(set)) return;
  const there = sets.length === 0 ? 'there is none' : `there are ${sets.join(', ')}`;
  throw new KernelError('invalid-argument', `no rule belongs to the set "${set}"; ${there}`, {
    hint: `Add this line to the rules in rules.toml: set = "${set}"`,
  });
}

/** The rules' facts about paths in a command. */
export function commandPlaces(config: Pick<Config, 'workspace' | 'home' | 'protection'>): Places {
  const { isProtected } = createContentGate(protectedBelow(config));
  return { roots: [config.workspace], isProtected: (path) => isProtected(path, workRoot) };
}

/** Judges the programs that plugins ask for. While the rules cannot be read, no program runs. */
export function createCommandJudge(
  rules: CommandRules,
  config: Pick<Config, 'workspace' | 'home' | 'protection'>,
): JudgeCommand {
  const places = commandPlaces(config);
  return (command) => {
    try {
      return judgeCommand(command, rules(), places);
    } catch (thrown) {
      const { message } = KernelError.from(thrown, 'internal');
      const reason = 'the rules on programs cannot be read';
      throw new ServiceError('denied', reason, command.program, `Fix rules.toml: ${message}`);
    }
  };
}

export type PolicyCommands = {
  /**
   * The verdict on a command line; runs nothing.
   *
   * @throws {KernelError} `invalid-argument` for an unreadable `rules.toml`
   */
  test(command: string, options: { signal: AbortSignal }): Promise<TestedCommand>;
  /** All rules, those of the user first. */
  rules(): ListedRule[];
};

const noWalls = 'exec.sandbox is "none": without a sandbox no rule allows a program';

/** Time that taking a line apart may take. */
const parseTimeoutMs = 10_000;

export function createPolicyCommands(ports: {
  invoker(): Pick<ToolInvoker, 'invoke'>;
  rules: CommandRules;
  places: Places;
  /** Whether programs run in a sandbox; where they do not, no rule allows one. */
  confined: boolean;
  sandbox(): Promise<ProgramSandbox>;
}): PolicyCommands {
  const judge = async (
    command: string,
    signal: AbortSignal,
  ): Promise<TestedCommand & { isProgram: boolean }> => {
    // The rules are read while the process of the plugin starts.
    const [parsed, rules] = await Promise.all([
      parseCommand(ports.invoker(), command, signal),
      Promise.resolve().then(ports.rules),
    ]);
    if (typeof parsed === 'string') {
      const reason = `the line is not understood: ${parsed}`;
      return { command, decision: 'ask', rule: 'not-understood', reason, isProgram: false };
    }
    const { decision, rule, reason } = judgeLine(parsed, rules, ports.places);
    const isProgram = parsed.pipelines.some(({ commands }) => commands[0]?.kind === 'program');
    if (decision === 'allow' && isProgram && !ports.confined) {
      return { command, decision: 'ask', rule, reason: `${reason}, but ${noWalls}`, isProgram };
    }
    return { command, decision, rule, reason, isProgram };
  };
  return {
    test: async (command, { signal }) => {
      const { isProgram, ...tested } = await judge(command, signal);
      const tier = await ports.sandbox();
      if (!isProgram || tested.decision === 'deny' || tier.tier !== 'missing') return tested;
      return { ...tested, cannotRun: `${tier.reason}: ${tier.fix}` };
    },
    rules: () =>
      ports.rules().map(({ name, source, decision, programs, reason, set }) => ({
        name,
        source,
        decision,
        programs: [...programs],
        reason,
        ...(set === undefined ? {} : { set }),
      })),
  };
}

/** The line as the shell plugin takes it apart, or what it does not understand. */
async function parseCommand(
  invoker: Pick<ToolInvoker, 'invoke'>,
  command: string,
  signal: AbortSignal,
): Promise<LinePlan | string> {
  const call = { tool: 'shell.parse', input: { command } };
  try {
    for await (const event of invoker.invoke(call, { signal, timeoutMs: parseTimeoutMs })) {
      if (event.type === 'output') return parsePlan(event.output.content);
    }
  } catch (thrown) {
    if (thrown instanceof KernelError && thrown.code === 'invalid-argument')
      return thrown.message.replace(/^shell\.parse: /, '');
    throw thrown;
  }
  throw new KernelError('plugin-fault', 'shell.parse ended without a result');
}
