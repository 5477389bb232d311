import { expect, it } from 'vitest';
import { killIndexers } from '../../tests/chaos/support/kill-indexers.ts';
import { numbersFrom } from '../../tests/support/edited-tree.ts';

it('an index whose maker is killed again and again ends up as a fresh one', async () => {
  const wanted = { files: 1000, kills: 20, withinMs: 120 };
  const { cut, found, differ } = await killIndexers(wanted, numbersFrom(7));
  expect(cut).toBeGreaterThan(2);
  expect(found).toBeGreaterThan(0);
  expect(differ).toEqual([]);
}, 120_000);
