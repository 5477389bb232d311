import { KernelError } from '../contracts/error.ts';
import type { ModelUsage } from '../contracts/model.ts';

export type BudgetLimits = {
  rounds: number;
  toolCalls: number;
  tokens: number;
  durationMs: number;
};

/** What one question has spent; asked before each call to a model or a tool. */
export type BudgetMeter = {
  readonly usage: ModelUsage;
  /** @throws {KernelError} `resource-exhausted` when another round is not covered */
  takeRound(promptTokens: number): void;
  /** @throws {KernelError} `resource-exhausted` when so many more tool calls are not covered */
  takeToolCalls(count: number): void;
  addUsage(usage: ModelUsage): void;
};

export function createBudget(limits: BudgetLimits, clock: { nowMs(): number }): BudgetMeter {
  const startedMs = clock.nowMs();
  const usage = { inputTokens: 0, outputTokens: 0 };
  let rounds = 0;
  let toolCalls = 0;

  const checkTime = (): void => {
    const spentMs = clock.nowMs() - startedMs;
    if (spentMs >= limits.durationMs) throw spent('duration-ms', spentMs, limits.durationMs, 'ms');
  };
  return {
    usage,
    takeRound: (promptTokens) => {
      checkTime();
      if (rounds >= limits.rounds) throw spent('rounds', rounds, limits.rounds, 'rounds');
      const tokens = usage.inputTokens + usage.outputTokens + promptTokens;
      if (tokens > limits.tokens) throw spent('tokens', tokens, limits.tokens, 'tokens');
      rounds += 1;
    },
    takeToolCalls: (count) => {
      checkTime();
      if (toolCalls + count > limits.toolCalls) {
        throw spent('tool-calls', toolCalls + count, limits.toolCalls, 'tool calls');
      }
      toolCalls += count;
    },
    addUsage: (more) => {
      usage.inputTokens += more.inputTokens;
      usage.outputTokens += more.outputTokens;
    },
  };
}

function spent(key: string, value: number, limit: number, unit: string): KernelError {
  return new KernelError(
    'resource-exhausted',
    `the budget is spent: ${value} ${unit}, limit ${limit}`,
    {
      hint: `Ask something smaller, or raise budget.${key} in config.toml.`,
    },
  );
}
