import { describe, expect, it } from 'vitest';
import { changes, killChanges } from './support/kill-changes.ts';

// The long form kills at many more points: node tests/chaos/long-changes.ts
describe('kill -9 in the middle of a change', () => {
  it.each(changes)(
    'of %s leaves each file old or new, an honest list and nothing lying about',
    async (what) => {
      const report = await killChanges(what, { attempts: 8, seed: 20_261_122 });
      expect(report.failures).toEqual([]);
      expect(report).toMatchObject({ attempts: 8, killed: 8 });
      // A kill that never hit the middle would have shown nothing.
      expect(report.inBetween).toBeGreaterThan(0);
    },
  );
});
