import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { listTree } from './list-tree.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuervo-list-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('ends a listing that takes too long, and says that it is not whole', () => {
  for (let at = 0; at < 2000; at += 1) writeFileSync(join(folder, `f${at}`), '');
  const list = () => listTree(folder, () => false);
  expect(list()).toMatchObject({ isWhole: true, entries: { length: 2000 } });
  let seconds = 0;
  const clock = vi.spyOn(process, 'hrtime').mockImplementation(() => {
    seconds += 4;
    return [seconds, 0];
  });
  try {
    const { entries, isWhole } = list();
    expect(isWhole).toBe(false);
    expect(entries.length).toBeLessThan(2000);
  } finally {
    clock.mockRestore();
  }
});
