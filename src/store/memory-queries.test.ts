import { describe, expect, it } from 'vitest';
import { openStore } from './open-store.ts';

describe('sourceQueries()', () => {
  it('keeps sources by project and name, whole, and replaces them', () => {
    using store = openStore({ path: ':memory:' });
    const { memorySources } = store;
    const file = { project: '/p', source: "docs/it's.md", hash: 'ab', bytes: 3, changedMs: 1.5 };
    const named = { project: '/q', source: 'stdin', hash: 'cd', bytes: 0 };
    memorySources.put([file, named]);
    expect(memorySources.get('/p', "docs/it's.md")).toEqual(file);
    expect(memorySources.get('/q', 'stdin')).toEqual(named);
    expect(memorySources.get('/q', "docs/it's.md")).toBeUndefined();
    const forgotten = { ...file, forgottenMs: 9 };
    memorySources.put([forgotten, { ...file, source: 'a' }]);
    expect(memorySources.all('/p').map(({ source }) => source)).toEqual(['a', "docs/it's.md"]);
    expect(memorySources.get('/p', "docs/it's.md")).toEqual(forgotten);
    memorySources.remove('/p', 'a');
    expect(memorySources.all('/p')).toEqual([forgotten]);
  });
});
