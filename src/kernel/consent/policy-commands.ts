import { KernelError } from '../../contracts/error.ts';
import type { ListedRule, TestedCommand } from '../../contracts/output/parse-setup.ts';
import type { ToolInvoker } from '../../contracts/tool.ts';
import type { Places } from '../../policy/rules/command-rule.ts';
import { judgeLine } from '../../policy/rules/judge-command.ts';
import { type LinePlan, parsePlan } from '../../policy/rules/parse-plan.ts';
import type { ProgramSandbox } from '../../programs/exec/find-sandbox.ts';
import type { CommandRules } from './command-rules.ts';

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
