import { describe, expect, it } from 'vitest';
import { createWaits } from './waits.ts';

function fixedWaits() {
  let passed = 0n;
  const waits = createWaits({
    isReal: () => false,
    note: () => {},
    pass: (instant) => {
      if (instant > passed) passed = instant;
    },
  });
  return { waits, passed: () => passed };
}

describe('createWaits() on the fixed clock', () => {
  it('wakes sleepers in the order of their instants, which then have come', async () => {
    const { waits, passed } = fixedWaits();
    const woken: [bigint, bigint][] = [];
    const sleep = (due: bigint) => waits.until(due).then(() => void woken.push([due, passed()]));
    await Promise.all([3n, 1n, 10n ** 15n, 2n].map(sleep));
    const dues = [1n, 2n, 3n, 10n ** 15n];
    expect(woken).toEqual(dues.map((due) => [due, due]));
  });

  it('wakes nobody of a call that has ended', async () => {
    const { waits } = fixedWaits();
    const woken: string[] = [];
    void waits.until(1n).then(() => woken.push('old'));
    waits.reset();
    await waits.until(2n).then(() => woken.push('new'));
    expect(woken).toEqual(['new']);
  });
});
