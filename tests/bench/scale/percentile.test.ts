import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.ts';
import { percentile } from './percentile.ts';

describe('percentile()', () => {
  it('takes the value below which the share lies', () => {
    const values = Array.from({ length: 100 }, (_, at) => 99 - at);
    expect([0, 0.5, 0.95, 1].map((share) => percentile(values, share))).toEqual([0, 50, 95, 99]);
    expect(() => percentile([], 0.5)).toThrow(RangeError);
  });
});

describe('nearest()', () => {
  it('finds the rows of the highest cosines, best first, among those that count', () => {
    const vectors = Float32Array.from([1, 0, 0, 1, 0.6, 0.8, -1, 0]);
    const asked = Float32Array.from([0, 1]);
    expect(nearest(asked, vectors, 2)).toEqual([1, 2]);
    expect(nearest(asked, vectors, 2, (row) => row !== 1)).toEqual([2, 0]);
    expect(nearest(asked, vectors, 9)).toHaveLength(4);
  });
});
