import { describe, expect, it } from 'vitest';
import { costOf, weightOf } from './cost-of.ts';

const price = { input: 3, output: 15, cached: 0.3, cacheWrite: 3.75 };
const usage = {
  ...{ inputTokens: 1_000_000, outputTokens: 100_000 },
  ...{ cachedTokens: 600_000, cacheWriteTokens: 200_000 },
};

describe('costOf()', () => {
  it('prices input that was read before, written to a cache and neither apart', () => {
    expect(costOf(usage, price)).toBeCloseTo(0.2 * 3 + 0.6 * 0.3 + 0.2 * 3.75 + 0.1 * 15, 6);
  });

  it('takes what the provider says, and knows nothing without a price', () => {
    expect(costOf({ ...usage, usd: 0.5 }, price)).toBe(0.5);
    expect(costOf(usage, undefined)).toBeUndefined();
  });
});

describe('weightOf()', () => {
  it('weighs cached tokens as they cost, and a tenth where nobody knows', () => {
    expect(weightOf(usage, price)).toBeCloseTo(400_000 + 60_000 + 100_000, 3);
    expect(weightOf(usage, { ...price, cached: 1.5 })).toBeCloseTo(400_000 + 300_000 + 100_000, 3);
    expect(weightOf(usage, undefined)).toBeCloseTo(400_000 + 60_000 + 100_000, 3);
  });
});
