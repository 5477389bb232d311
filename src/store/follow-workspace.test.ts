import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MemoryRecord } from '../contracts/memory.ts';
import { followWorkspace } from './follow-workspace.ts';
import { openStore, type StoreWithJournal } from './open-store.ts';

let dir: string;
let store: StoreWithJournal;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cuervo-follow-'));
  store = openStore({ path: ':memory:' });
});
afterEach(() => {
  store[Symbol.dispose]();
  rmSync(dir, { recursive: true, force: true });
});

/** A workspace with a session and a fact that waits for no table any more. */
function usedWorkspace(name: string): string {
  const folder = join(dir, name);
  mkdirSync(folder);
  expect(followWorkspace(store, folder)).toBeUndefined();
  store.createSession(folder, 'a question', 1);
  const record: MemoryRecord = {
    ...{
      layer: 'interact',
      kind: 'fact',
      text: 'releases happen on Thursdays',
      context: '',
      ts: 1,
    },
    ...{ project: folder, tags: [], session: 's', run: 'r' },
  };
  store.memoryJournal.append([{ id: name, record }]);
  store.memoryJournal.remove(
    store.memoryJournal.pending({ limit: 9, order: 'oldest' }).map(({ seq }) => seq),
  );
  return folder;
}

const titlesOf = (project: string): string[] =>
  store.sessions({ project, limit: 9 }).map(({ title }) => title);

describe('followWorkspace()', () => {
  it('gives a moved folder its records, and has its facts written to their table again', () => {
    const old = usedWorkspace('old');
    const moved = join(dir, 'moved');
    renameSync(old, moved);
    expect(followWorkspace(store, moved)).toBe(old);
    expect([titlesOf(old), titlesOf(moved)]).toEqual([[], ['a question']]);
    expect(store.memoryJournal.book.facts([moved]).map(({ id }) => id)).toEqual(['old']);
    expect(store.memoryJournal.pending({ limit: 9, order: 'oldest' })).toMatchObject([
      { id: 'old', record: { project: moved } },
    ]);
    expect(followWorkspace(store, moved)).toBeUndefined();
  });

  it('leaves the records of a folder that was copied, or replaced by another one', () => {
    const old = usedWorkspace('old');
    const copy = join(dir, 'copy');
    cpSync(old, copy, { recursive: true });
    expect(followWorkspace(store, copy)).toBeUndefined();
    renameSync(old, join(dir, 'away'));
    mkdirSync(old);
    expect(followWorkspace(store, join(dir, 'away'))).toBeUndefined();
    expect(titlesOf(old)).toEqual(['a question']);
    expect(titlesOf(copy)).toEqual([]);
  });
});
