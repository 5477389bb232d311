import { expect } from 'vitest';
import { escapeCase, type Half } from './support/escape-case.ts';
import { fuzzTargets } from './support/fuzz-targets.ts';

/** The long form goes on from here: `node tests/escape/long.ts`. */
const seed = 20_261_122;
const runs = 500;

const [first, ...more] = fuzzTargets.map(
  ({ name, fuzz }): Half => [
    `${name}: ${runs} are read or refused as promised`,
    async () => {
      const { read, refused } = await fuzz({ runs, seed });
      expect(read + refused).toBe(runs);
      // Neither count alone would say that the reader was reached.
      expect(read).toBeGreaterThan(0);
      expect(refused).toBeGreaterThan(0);
    },
  ],
);

escapeCase('random input', {
  denied: [first as Half, ...more],
  control: [
    'what is right is read, by every one of them',
    async () => {
      for (const { good } of fuzzTargets) await good();
      expect(fuzzTargets.length).toBeGreaterThanOrEqual(11);
    },
  ],
});
