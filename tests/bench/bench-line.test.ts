import { describe, expect, it } from 'vitest';
import { benchLine, isReached } from './bench-line.ts';

describe('benchLine()', () => {
  it('divides by the peer and judges the ratio', () => {
    const line = benchLine(
      { name: 'call.warm', unit: 'ms', reach: '<= 0.8x' },
      { value: 0.12, runs: 9, peer: 'mcp', peerValue: 0.2 },
    );
    expect(line).toEqual({
      name: 'call.warm',
      value: 0.12,
      unit: 'ms',
      runs: 9,
      peer: 'mcp',
      peerValue: 0.2,
      ratio: 0.6,
      reach: '<= 0.8x',
      ok: true,
    });
  });

  it('has no ratio and is not in reach when the peer is absent', () => {
    const line = benchLine(
      { name: 'a', unit: 'ms', reach: '<= 3x' },
      { value: 1, runs: 1, note: 'why' },
    );
    expect(line).not.toHaveProperty('ratio');
    expect(line.ok).toBe(false);
  });
});

describe('isReached()', () => {
  const of = (reach: string, value: number, unit: string, ratio?: number): boolean =>
    isReached(reach, { value, unit, ratio });

  it('tells "less" from "at most"', () => {
    expect(of('< 90 MB', 90, 'MB')).toBe(false);
    expect(of('<= 90 MB', 90, 'MB')).toBe(true);
    expect(of('<= 0.3x', 1, 'ms', 0.31)).toBe(false);
  });

  it('adds milliseconds to a multiple of the peer', () => {
    expect(of('<= 1.5x + 40 ms', 70, 'ms', 3.5)).toBe(true);
    expect(of('<= 1.5x + 40 ms', 71, 'ms', 3.55)).toBe(false);
    expect(of('<= 1.5x + 40 ms', 1, 'ms')).toBe(false);
    expect(() => of('<= 90 ms + 40 ms', 1, 'ms')).toThrow('not a bound');
  });

  it('is true of what is only reported', () => {
    expect(of('reported', 1e9, 'ms')).toBe(true);
  });

  it('refuses a bound in another unit', () => {
    expect(() => of('< 90 MB', 1, 'ms')).toThrow('bounds a figure in ms');
    expect(() => of('soon', 1, 'ms')).toThrow('not a bound');
  });
});
