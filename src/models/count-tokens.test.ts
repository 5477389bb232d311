import { describe, expect, it } from 'vitest';
import { estimateTokens } from './count-tokens.ts';

describe('estimateTokens()', () => {
  it('counts ASCII by the rate and other scripts by their bytes', () => {
    expect(estimateTokens('', 3)).toBe(0);
    expect(estimateTokens('abcd', 3)).toBe(2);
    expect(estimateTokens('日本', 3)).toBe(6);
    expect(estimateTokens('né', 2)).toBe(3);
  });

  it('never counts less for a text than for its beginning', () => {
    const text = 'export const größe = 7; // 大きさ 🐦';
    for (let i = 1; i <= text.length; i += 1) {
      expect(estimateTokens(text.slice(0, i), 3)).toBeLessThanOrEqual(estimateTokens(text, 3) + 1);
    }
  });
});
