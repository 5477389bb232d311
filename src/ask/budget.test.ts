import { afterEach, describe, expect, it, vi } from 'vitest';
import { KernelError } from '../contracts/error.ts';
import { createBudget } from './budget.ts';

const limits = { rounds: 2, toolCalls: 3, tokens: 100, durationMs: 1000 };
const spent = (message: string, key: string) =>
  expect.objectContaining({
    code: 'resource-exhausted',
    message,
    hint: expect.stringContaining(`budget.${key} in config.toml`),
  });

afterEach(() => void vi.useRealTimers());

describe('createBudget()', () => {
  it('covers as many rounds as it says, and not one more', () => {
    const budget = createBudget(limits, { nowMs: () => 0 });
    budget.takeRound(1);
    budget.takeRound(1);
    expect(() => budget.takeRound(1)).toThrow(
      spent('the budget is spent: 2 rounds, limit 2', 'rounds'),
    );
  });

  it('refuses tool calls that are not covered, and then takes none of them', () => {
    const budget = createBudget(limits, { nowMs: () => 0 });
    budget.takeToolCalls(2);
    expect(() => budget.takeToolCalls(2)).toThrow(
      spent('the budget is spent: 4 tool calls, limit 3', 'tool-calls'),
    );
    budget.takeToolCalls(1);
  });

  it('counts the tokens of a prompt before it is sent', () => {
    const budget = createBudget(limits, { nowMs: () => 0 });
    budget.takeRound(60);
    budget.addUsage({ inputTokens: 60, outputTokens: 20 });
    expect(budget.usage).toEqual({ inputTokens: 60, outputTokens: 20 });
    expect(() => budget.takeRound(21)).toThrow(
      spent('the budget is spent: 101 tokens, limit 100', 'tokens'),
    );
    budget.takeRound(20);
  });

  it('ends with its time, for rounds and tool calls', () => {
    let nowMs = 5000;
    const budget = createBudget(limits, { nowMs: () => nowMs });
    nowMs = 5999;
    budget.takeRound(1);
    nowMs = 6000;
    const ended = spent('the budget is spent: 1000 ms, limit 1000', 'duration-ms');
    expect(() => budget.takeRound(1)).toThrow(ended);
    expect(() => budget.takeToolCalls(1)).toThrow(ended);
  });

  it('ends what is under way with its time, and not before', () => {
    vi.useFakeTimers();
    let nowMs = 0;
    const budget = createBudget({ ...limits, durationMs: 30 }, { nowMs: () => nowMs });
    using time = budget.watchTime();
    // Somebody is asked, for which the clock stands still.
    vi.advanceTimersByTime(60);
    expect(time.signal.aborted).toBe(false);
    nowMs = 30;
    vi.advanceTimersByTime(60);
    expect(time.signal.reason).toEqual(
      spent('the budget is spent: 30 ms, limit 30', 'duration-ms'),
    );
    expect(budget.watchTime().signal.aborted).toBe(true);
  });

  it('watches a time that is longer than a timer runs', () => {
    vi.useFakeTimers();
    const budget = createBudget({ ...limits, durationMs: 2 ** 40 }, { nowMs: () => 0 });
    using time = budget.watchTime();
    vi.advanceTimersByTime(20);
    expect(time.signal.aborted).toBe(false);
  });

  const price = { input: 1, output: 2 };
  const dear = { price, keepsPrompts: false, spentTodayUsd: 0 };

  it('covers no prompt that costs more than is left, and no longer answer than that', () => {
    const budget = createBudget({ ...limits, tokens: 1e9, usd: 0.01 }, { nowMs: () => 0 }, dear);
    // 0.008 for the prompt leave 0.002, which are a thousand tokens of an answer.
    expect(budget.takeRound(8_000)).toBeCloseTo(1_000, -1);
    budget.addUsage({ inputTokens: 8_000, outputTokens: 500 });
    expect(budget.spent().usd).toBeCloseTo(0.009, 6);
    expect(() => budget.takeRound(8_000)).toThrow(
      spent('the budget is spent: 0.017 US dollars, limit 0.01', 'usd'),
    );
  });

  it('counts what the day has spent before', () => {
    const spender = { ...dear, spentTodayUsd: 4.999 };
    const budget = createBudget(
      { ...limits, tokens: 1e9, usd: 10, dayUsd: 5 },
      { nowMs: () => 0 },
      spender,
    );
    expect(() => budget.takeRound(2_000)).toThrow(
      expect.objectContaining({ code: 'resource-exhausted' }),
    );
    const other = createBudget({ ...limits, tokens: 1e9, usd: 10 }, { nowMs: () => 0 }, spender);
    other.takeRound(2_000);
  });

  it('covers nothing that costs where the day is limited and what it costs cannot be counted', () => {
    const uncounted = new KernelError('resource-exhausted', 'the disk is full');
    const take = (spender: Parameters<typeof createBudget>[2], dayUsd?: number) =>
      createBudget(
        { ...limits, tokens: 1e9, usd: 10, ...(dayUsd === undefined ? {} : { dayUsd }) },
        { nowMs: () => 0 },
        spender,
      ).takeRound(2_000);
    expect(() => take({ ...dear, uncounted }, 5)).toThrow(
      /^the model is not asked: .*limit is 5 US dollars.*: the disk is full$/,
    );
    take({ ...dear, uncounted });
    take({ ...dear, uncounted, price: { input: 0, output: 0 } }, 5);
    take(dear, 5);
  });

  it('expects of the next prompt what was seen to be cached', () => {
    const budget = createBudget({ ...limits, rounds: 9, tokens: 3_000 }, { nowMs: () => 0 });
    budget.takeRound(1_000);
    budget.addUsage({ inputTokens: 1_000, outputTokens: 0, cacheWriteTokens: 1_000 });
    budget.takeRound(1_900);
    budget.addUsage({ inputTokens: 1_900, outputTokens: 0, cachedTokens: 1_000 });
    expect(budget.spent().tokens).toBe(2_000);
    // Without a cache it would be 3,900.
    expect(budget.takeRound(2_000)).toBeGreaterThan(0);
  });

  it('says once what is nearly spent', () => {
    const budget = createBudget(limits, { nowMs: () => 0 });
    budget.takeRound(10);
    budget.addUsage({ inputTokens: 70, outputTokens: 9 });
    expect(budget.warnings()).toEqual([]);
    budget.addUsage({ inputTokens: 1, outputTokens: 0 });
    expect(budget.warnings()).toEqual(['80 of 100 tokens are spent (budget.tokens)']);
    expect(budget.warnings()).toEqual([]);
  });
});
