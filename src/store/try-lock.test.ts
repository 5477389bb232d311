import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openStore } from './open-store.ts';
import { tryLock } from './try-lock.ts';

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
