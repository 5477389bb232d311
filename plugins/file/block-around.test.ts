import { describe, expect, it } from 'vitest';
import { blockAround, maxBlockLines } from './block-around.ts';

const source = `import x from 'x';

/** Adds. */
export function add(a: number, b: number): number {
  const sum = a + b;
  if (sum > 3) {
    return 3;
  }
  return sum;
}

class Counter {
  #count = 0;

  // Counts one.
  next(step: number): number {
    this.#count += step;
    return this.#count;
  }
}
`.split('\n');

describe('blockAround()', () => {
  it('gives the function around a line, with its comment', () => {
    expect(blockAround(source, 7)).toEqual({ start: 3, end: 10 });
  });

  it('gives the method and not the whole class', () => {
    expect(blockAround(source, 17)).toEqual({ start: 15, end: 19 });
  });

  it('goes from a comment to the definition below it', () => {
    expect(blockAround(source, 3)).toEqual({ start: 3, end: 10 });
  });

  it('gives a Python function without braces', () => {
    const python = [
      'import os',
      '',
      'def first():',
      '    a = 1',
      '',
      '    return a',
      '',
      'def second():',
      '    pass',
    ];
    expect(blockAround(python, 4)).toEqual({ start: 3, end: 6 });
  });

  it('cuts a long block around the line', () => {
    const long = ['function f() {', ...Array.from({ length: 500 }, (_, n) => `  step(${n});`), '}'];
    const { start, end } = blockAround(long, 300);
    expect(end - start + 1).toBeLessThanOrEqual(maxBlockLines);
    expect(start).toBeLessThanOrEqual(300);
    expect(end).toBeGreaterThanOrEqual(300);
  });

  it('stays inside an empty or short file', () => {
    expect(blockAround([], 9)).toEqual({ start: 1, end: 1 });
    expect(blockAround(['a'], 9)).toEqual({ start: 1, end: 1 });
  });
});
