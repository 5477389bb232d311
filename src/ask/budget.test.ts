import { afterEach, describe, expect, it, vi } from 'vitest';
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
});
