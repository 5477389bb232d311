import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { runs } from '../../../tests/support/runs.ts';
import { openStore } from '../../store/open-store.ts';
import { tryLock } from './database-file.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'cuervo-lock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('tryLock()', () => {
  it('has one holder at a time and is free again when disposed', () => {
    const path = join(folder, 'lock');
    const held = tryLock(path);
    expect(held).toBeDefined();
    expect(tryLock(path)).toBeUndefined();
    held?.[Symbol.dispose]();
    using again = tryLock(path);
    expect(again).toBeDefined();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('does not stand in the way of another path', () => {
    using one = tryLock(join(folder, 'one'));
    using two = tryLock(join(folder, 'two'));
    expect([one, two]).not.toContain(undefined);
  });
});

/** Takes the lock, removes its file, lets go, again and again; fails where another held it as well. */
const removing = `
  import { mkdirSync, rmdirSync, rmSync } from 'node:fs';
  const [module, path, times] = process.argv.slice(1);
  const { tryLock } = await import(module);
  let taken = 0;
  while (taken < Number(times)) {
    const lock = tryLock(path);
    if (lock === undefined) continue;
    taken += 1;
    mkdirSync(path + '.held');
    rmdirSync(path + '.held');
    rmSync(path, { force: true });
    lock[Symbol.dispose]();
  }
`;

describe('tryLock() of a file that its holder removes', () => {
  it('neither fails nor has two holders', { timeout: 120_000 }, async () => {
    const module = new URL('./database-file.ts', import.meta.url).href;
    const args = [
      '--input-type=module',
      '-e',
      removing,
      module,
      join(folder, 'removed'),
      String(runs(150)),
    ];
    const ended = [1, 2, 3].map(() => run(process.execPath, args));
    expect((await Promise.all(ended)).map(({ stderr }) => stderr)).toEqual(['', '', '']);
  });
});

describe('createMemoryJournal()', () => {
  it.each([':memory:', join(folder, 'cuervo.db')])('tryLock() has one holder on %s', (path) => {
    using store = openStore({ path });
    const held = store.memoryJournal.tryLock();
    expect(store.memoryJournal.tryLock()).toBeUndefined();
    // the lock is about the index: the store goes on
    store.setSetting('a', {});
    held?.[Symbol.dispose]();
    using again = store.memoryJournal.tryLock();
    expect(again).toBeDefined();
  });
});
