import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileChange, FileChanges } from '../contracts/file-changes.ts';
import { sha256 } from '../lib/sha256.ts';
import { createBlobStore } from './blob-store.ts';
import { createChangeKeeper } from './keep-changes.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keep-changes-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('createBlobStore()', () => {
  it('keeps bytes under their hash, once, readable to their owner alone', () => {
    const blobs = createBlobStore(join(folder, 'blobs'));
    const hash = blobs.keep(bytes('before'));
    expect(hash).toBe(sha256('before'));
    expect(blobs.keep(bytes('before'))).toBe(hash);
    blobs.keep(bytes(''));
    expect(readdirSync(join(folder, 'blobs')).sort()).toEqual([hash, sha256('')].sort());
    expect(Buffer.from(blobs.read(hash)).toString()).toBe('before');
    expect(statSync(join(folder, 'blobs', hash)).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'blobs')).mode & 0o777).toBe(0o700);
  });

  it('writes a blob anew whose size is wrong, and hands out none that was changed', () => {
    const blobs = createBlobStore(folder);
    const hash = blobs.keep(bytes('before'));
    writeFileSync(join(folder, hash), 'befo');
    blobs.keep(bytes('before'));
    expect(readFileSync(join(folder, hash), 'utf8')).toBe('before');
    writeFileSync(join(folder, hash), 'others');
    expect(() => blobs.read(hash)).toThrow(expect.objectContaining({ code: 'unavailable' }));
  });

  it.each([
    ['not-found', sha256('nobody kept this')],
    ['invalid-argument', '../cuervo.db'],
  ])('read() answers %s for %s', (code, hash) => {
    expect(() => createBlobStore(folder).read(hash)).toThrow(expect.objectContaining({ code }));
  });

  it('says so when its folder cannot be made', () => {
    writeFileSync(join(folder, 'file'), '');
    const blobs = createBlobStore(join(folder, 'file', 'blobs'));
    expect(() => blobs.keep(bytes('x'))).toThrow(expect.objectContaining({ code: 'unavailable' }));
  });
});

describe('createChangeKeeper()', () => {
  const change = { root: 'work', path: 'a.txt', kind: 'create' as const, mode: 0o644 };

  /** Rows in a list, in the order they came. */
  function openRows() {
    const rows = new Map<number, FileChange>();
    const add = (row: FileChange): number => {
      rows.set(rows.size + 1, row);
      return rows.size;
    };
    const changes: Pick<FileChanges, 'add' | 'addAll' | 'remove'> = {
      add,
      addAll: (all) => all.map(add),
      remove: (...seqs) => {
        for (const seq of seqs) rows.delete(seq);
      },
    };
    return {
      rows,
      keeper: createChangeKeeper({ blobs: folder, changes, clock: { nowMs: () => 7 } }),
    };
  }

  it('writes the row before the change is made', () => {
    const { rows, keeper } = openRows();
    keeper.record(change, () => expect([...rows.values()]).toEqual([{ ...change, ts: 7 }]));
    expect(rows.size).toBe(1);
  });

  it('takes the row out again when the change fails, and throws what it threw', () => {
    const { rows, keeper } = openRows();
    const fails = () => {
      throw new Error('no room');
    };
    expect(() => keeper.record(change, fails)).toThrow('no room');
    expect(rows.size).toBe(0);
  });

  it('recordAll() keeps the rows of what was made, and throws what making threw', async () => {
    const { rows, keeper } = openRows();
    const all = ['a', 'b', 'c'].map((path) => ({ ...change, path }));
    const make = keeper.recordAll(all, async (isMade) => {
      expect([...rows.values()].map(({ path }) => path)).toEqual(['a', 'b', 'c']);
      isMade(1);
      throw new Error('no room');
    });
    await expect(make).rejects.toThrow('no room');
    expect([...rows.values()].map(({ path }) => path)).toEqual(['b']);
  });
});
