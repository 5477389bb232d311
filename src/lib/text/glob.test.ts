import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../tests/support/runs.ts';
import { compileGlob, fitsSteps } from './glob.ts';

describe('compileGlob()', () => {
  it('says what a regular expression says that backtracks', () => {
    const glob = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '.'), maxLength: 7 });
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 9 });
    let matched = 0;
    fc.assert(
      fc.property(glob, name, (pattern, text) => {
        const source = pattern.replaceAll('.', '\\.').replaceAll('?', '.').replace(/\*+/g, '.*');
        const expected = new RegExp(`^${source}$`).test(text);
        if (expected && pattern.includes('*')) matched += 1;
        expect(compileGlob(pattern)(text)).toBe(expected);
      }),
      { numRuns: runs(5000) },
    );
    expect(matched).toBeGreaterThan(runs(100));
  });
});

describe('fitsSteps()', () => {
  it('looks at each pair of step and item at most a few times', () => {
    const steps = Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? undefined : 'a'));
    const items = 'a'.repeat(1000);
    let looks = 0;
    const fits = fitsSteps([...steps, 'b'], items.length, (step, at) => {
      looks += 1;
      return step === items[at];
    });
    expect(fits).toBe(false);
    expect(looks).toBeLessThan(3 * items.length);
  });

  it('takes a row of no items where nothing is asked of it', () => {
    expect(fitsSteps([], 0, () => false)).toBe(true);
    expect(fitsSteps([undefined], 0, () => false)).toBe(true);
    expect(fitsSteps(['a'], 0, () => true)).toBe(false);
    expect(fitsSteps([], 1, () => true)).toBe(false);
  });
});
