import type { ModelUsage } from './model.ts';

/** What one question has spent; asked before each call to a model or a tool. */
export type BudgetMeter = {
  readonly usage: ModelUsage;
  /**
   * @param promptTokens of the prompt that is about to be sent
   * @returns tokens that its reply may have
   * @throws {KernelError} `resource-exhausted` when another round is not covered
   */
  takeRound(promptTokens: number): number;
  /** @throws {KernelError} `resource-exhausted` when so many more tool calls are not covered */
  takeToolCalls(count: number): void;
  roundsLeft(): number;
  toolCallsLeft(): number;
  /** at least 1 */
  timeLeftMs(): number;
  /** Fires `signal` when the time is over, with what `takeRound` would throw, until disposed. */
  watchTime(): Disposable & { signal: AbortSignal };
  /** @returns US dollars of this reply, where they are known */
  addUsage(usage: ModelUsage): number | undefined;
  spent(): {
    rounds: number;
    toolCalls: number;
    /** those out of a provider's cache by what they cost */
    tokens: number;
    /** undefined where the price is unknown */
    usd: number | undefined;
    durationMs: number;
  };
  /** Sentences for a person, each once: what is nearly spent. */
  warnings(): string[];
};
