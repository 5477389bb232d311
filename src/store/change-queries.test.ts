import { describe, expect, it } from 'vitest';
import type { FileChange } from '../contracts/file-changes.ts';
import { openStore } from './open-store.ts';

const made: FileChange = { root: 'work', path: 'a.txt', kind: 'create', mode: 0o644, ts: 1 };
const renamed: FileChange = {
  run: 'r1',
  step: 's1',
  root: 'work',
  path: 'a.txt',
  kind: 'rename',
  target: 'b.txt',
  beforeHash: 'aa',
  afterHash: 'aa',
  mode: 0o600,
  ts: 2,
};

describe('changeQueries()', () => {
  it('returns the changes of a run as they were added, oldest first', () => {
    using store = openStore({ path: ':memory:' });
    store.changes.add(made);
    store.changes.add({ ...made, run: 'r1', ts: 9 });
    store.changes.add(renamed);
    expect(store.changes.ofRun('r1')).toEqual([{ ...made, run: 'r1', ts: 9 }, renamed]);
    expect(store.changes.ofRun('other')).toEqual([]);
  });

  it('removes one by its number, which no later one gets', () => {
    using store = openStore({ path: ':memory:' });
    const first = store.changes.add(renamed);
    store.changes.remove(first);
    expect(store.changes.ofRun('r1')).toEqual([]);
    expect(store.changes.add(renamed)).toBeGreaterThan(first);
  });
});
