import { describe, expect, it } from 'vitest';
import { createRequestRate } from './request-rate.ts';

describe('createRequestRate()', () => {
  it('lets so many go in any minute, and says when the next may', () => {
    let now = 1000;
    const rate = createRequestRate(3, () => now);
    expect([rate.take(), rate.take(), rate.take()]).toEqual([0, 0, 0]);
    now += 20_000;
    expect(rate.take()).toBe(40_000);
    now += 39_999;
    expect(rate.take()).toBe(1);
    now += 1;
    expect(rate.take()).toBe(0);
  });

  it('counts what went and not what was refused', () => {
    let now = 0;
    const rate = createRequestRate(1, () => now);
    expect(rate.take()).toBe(0);
    for (let tries = 0; tries < 100; tries += 1) expect(rate.take()).toBe(60_000);
    now = 60_000;
    expect(rate.take()).toBe(0);
  });
});
