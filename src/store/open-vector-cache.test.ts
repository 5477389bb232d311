import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openVectorCache } from './open-vector-cache.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cuervo-vectors-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entry = (key: string, ...bytes: number[]) => ({ key, value: Uint8Array.from(bytes) });

describe('openVectorCache()', () => {
  it('gives what was put, by space and key, also to another opening', () => {
    const path = join(folder, 'vectors.db');
    using one = openVectorCache(path);
    one.put('a', [entry('k', 1, 2), entry('l', 3)]);
    using other = openVectorCache(path);
    other.put('b', [entry('k', 9)]);
    const found = one.get('a', ['l', 'none', 'k']).map((bytes) => bytes && [...bytes]);
    expect(found).toEqual([[3], undefined, [1, 2]]);
    expect(one.get('b', ['k']).map((bytes) => bytes && [...bytes])).toEqual([[9]]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('lets the oldest go when it is full', () => {
    using cache = openVectorCache(join(folder, 'vectors.db'), { maxBytes: 300_000 });
    const value = new Uint8Array(4_000).fill(7);
    const keys = Array.from({ length: 300 }, (_, at) => `k${at}`);
    for (const key of keys) cache.put('a', [{ key, value }]);
    const there = cache.get('a', keys).flatMap((bytes, at) => (bytes === undefined ? [] : [at]));
    expect(there.length).toBeGreaterThan(60);
    expect(there.length).toBeLessThan(200);
    expect(there.at(-1)).toBe(299);
    expect(there[0]).toBe(300 - there.length);
  });

  it('leaves nothing behind when it is cleared', () => {
    const path = join(folder, 'vectors.db');
    const marked = Buffer.from('these bytes are looked for in the file');
    {
      using cache = openVectorCache(path);
      cache.put('a', [{ key: 'k', value: marked }]);
    }
    expect(readFileSync(path).includes(marked)).toBe(true);
    {
      using cache = openVectorCache(path);
      cache.clear();
      expect(cache.get('a', ['k'])).toEqual([undefined]);
    }
    expect(readFileSync(path).includes(marked)).toBe(false);
  });

  it('makes a damaged file anew', () => {
    const path = join(folder, 'vectors.db');
    writeFileSync(path, 'no database at all, and long enough for a header of one'.repeat(20));
    using cache = openVectorCache(path);
    cache.put('a', [entry('k', 5)]);
    expect(cache.get('a', ['k']).map((bytes) => bytes && [...bytes])).toEqual([[5]]);
  });

  it('is empty where no file can be made', () => {
    const path = join(folder, 'is-a-file', 'vectors.db');
    writeFileSync(join(folder, 'is-a-file'), '');
    using cache = openVectorCache(path);
    cache.put('a', [entry('k', 5)]);
    cache.clear();
    expect(cache.get('a', ['k'])).toEqual([undefined]);
  });
});
