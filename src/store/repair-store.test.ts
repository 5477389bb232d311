import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tryLock } from '../lib/sqlite/database-file.ts';
import { dropDamagedCopies } from './damaged-copies.ts';
import { openStore } from './open-store.ts';
import { repairStore } from './repair-store.ts';

it('repairStore() is one at a time, and leaves what is whole as it is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-repair-'));
  const path = join(folder, 'cuervo.db');
  writeFileSync(path, 'no database '.repeat(20));
  {
    using held = tryLock(`${path}-repair`);
    expect(held).toBeDefined();
    expect(() => repairStore(path, 5)).toThrow(/another process repairs/);
  }
  expect(repairStore(path, 5)).toMatchObject({ copy: `${path}.damaged-5` });
  expect(repairStore(path, 6)).toBe(undefined);
  openStore({ path })[Symbol.dispose]();
  expect(readdirSync(folder).toSorted()).toEqual(['cuervo.db', 'cuervo.db.damaged-5']);
  rmSync(folder, { recursive: true, force: true });
});

it('dropDamagedCopies() takes old copies with their logs, or all, and nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-copies-'));
  const path = join(folder, 'cuervo.db');
  const others = ['cuervo.db', 'cuervo.db.damaged', 'other.db.damaged-1'];
  const copies = [
    ...['cuervo.db.damaged-1', 'cuervo.db.damaged-1-wal', 'cuervo.db.damaged-2'],
    ...['cuervo.db.repaired', 'cuervo.db.repaired-journal'],
  ];
  for (const name of [...others, ...copies]) writeFileSync(join(folder, name), 'x');
  dropDamagedCopies(path, 2);
  expect(readdirSync(folder).toSorted()).toEqual([...others, 'cuervo.db.damaged-2'].toSorted());
  dropDamagedCopies(path);
  expect(readdirSync(folder).toSorted()).toEqual(others.toSorted());
  rmSync(folder, { recursive: true, force: true });
});
