import { KernelError } from '../contracts/error.ts';
import type { ModelUsage } from '../contracts/model.ts';

export type BudgetLimits = {
  rounds: number;
  toolCalls: number;
  tokens: number;
  durationMs: number;
};

/** The longest time of one timer; a longer one would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/** What one question has spent; asked before each call to a model or a tool. */
export type BudgetMeter = {
  readonly usage: ModelUsage;
  /** @throws {KernelError} `resource-exhausted` when another round is not covered */
  takeRound(promptTokens: number): void;
  /** @throws {KernelError} `resource-exhausted` when so many more tool calls are not covered */
  takeToolCalls(count: number): void;
  /** Fires `signal` when the time is over, with what `takeRound` would throw, until disposed. */
  watchTime(): Disposable & { signal: AbortSignal };
  addUsage(usage: ModelUsage): void;
};

export function createBudget(limits: BudgetLimits, clock: { nowMs(): number }): BudgetMeter {
  const startedMs = clock.nowMs();
  const usage = { inputTokens: 0, outputTokens: 0 };
  let rounds = 0;
  let toolCalls = 0;

  const leftMs = (): number => limits.durationMs - (clock.nowMs() - startedMs);
  const timeSpent = (): KernelError =>
    spent('duration-ms', limits.durationMs - leftMs(), limits.durationMs, 'ms');
  const checkTime = (): void => {
    if (leftMs() <= 0) throw timeSpent();
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
    watchTime: () => {
      const end = new AbortController();
      let timer: NodeJS.Timeout;
      // One timer is too short for a long budget, and the clock may have stood still.
      const look = (): void => {
        if (leftMs() <= 0) end.abort(timeSpent());
        else timer = setTimeout(look, Math.min(leftMs(), maxTimerMs));
      };
      look();
      return { signal: end.signal, [Symbol.dispose]: () => clearTimeout(timer) };
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
      hint: `Ask a smaller question, or raise budget.${key} in config.toml.`,
    },
  );
}
