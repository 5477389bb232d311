import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FileStamp, stampsBelow } from './file-stamp.ts';
import { readFiles } from './read-segment.ts';
import { updateWordFile } from './update-word-file.ts';
import { openWordFile } from './word-file.ts';

const { signal } = new AbortController();
/** What was written a moment ago counts as settled. */
const later = (): number => Date.now() + 60_000;

function openFolder(files: Readonly<Record<string, string>>) {
  const dir = mkdtempSync(join(tmpdir(), 'cuervo-word-file-'));
  const folder = join(dir, 'work');
  const path = join(dir, 'words');
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const update = async (
    names: readonly string[],
    more: { rules?: string; nowMs?: () => number; signal?: AbortSignal } = {},
  ): Promise<void> => {
    const stampAt = stampsBelow(folder);
    const placed = names.map((name) => ({ path: name, ...(stampAt(name) as FileStamp) }));
    const changes = { folder, files: placed, rules: 'rules', nowMs: later, ...more };
    await updateWordFile(path, changes, { signal, ...more });
  };
  /** Paths and lines in each segment. */
  const segments = (): Record<string, number>[] => {
    using file = openWordFile(path);
    return (file?.segments ?? []).map((segment) =>
      Object.fromEntries(readFiles(segment).map(({ path: name, lines }) => [name, lines])),
    );
  };
  return {
    folder,
    path,
    write,
    update,
    segments,
    inode: () => statSync(path).ino,
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** So many files of a megabyte, that each segment has four of them. */
const large = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `${at}.txt`,
      `${'abcdefgh'[at]}heron stork\n`.repeat(90_000),
    ]),
  );

describe('updateWordFile()', () => {
  it('knows lines of texts, and of other files that they have none', async () => {
    using place = openFolder({ a: 'one\ntwo', b: '', c: 'nul\0', d: 'long '.repeat(200) });
    await place.update(['a', 'b', 'c', 'd']);
    expect(place.segments()).toEqual([{ a: 2, b: 0, c: 0, d: 0 }]);
  });

  it('leaves out what was changed a moment ago, and takes it the next time', async () => {
    using place = openFolder({ a: 'one\n', b: 'two\n' });
    await place.update(['a', 'b'], { nowMs: Date.now });
    expect(place.segments()).toEqual([]);
    await place.update(['a', 'b']);
    expect(place.segments()).toEqual([{ a: 1, b: 1 }]);
  });

  it('writes nothing where nothing changed, though a file cannot be known', async () => {
    using place = openFolder({ a: 'one\n' });
    mkdirSync(join(place.folder, 'folder'));
    const gone = [{ path: 'gone', bytes: 1, changedMs: 1, inodeChangedMs: 1, inode: 1 }];
    const files = [{ path: 'a', ...(stampsBelow(place.folder)('a') as FileStamp) }, ...gone];
    const changes = { folder: place.folder, files, rules: 'rules', nowMs: later };
    await updateWordFile(place.path, changes, { signal });
    const inode = place.inode();
    await updateWordFile(place.path, changes, { signal });
    expect(place.inode()).toBe(inode);
    expect(place.segments()).toEqual([{ a: 1 }]);
  });

  it('makes those segments anew in which something changed, and no others', async () => {
    using place = openFolder(large(8));
    const names = Object.keys(large(8));
    await place.update(names);
    expect(place.segments().map((segment) => Object.keys(segment).length)).toEqual([4, 4]);
    place.write('5.txt', 'crane\n');
    rmSync(join(place.folder, '6.txt'));
    const left = names.filter((name) => name !== '6.txt');
    await place.update(left);
    expect(
      place
        .segments()
        .flatMap((segment) => Object.keys(segment))
        .toSorted(),
    ).toEqual(left);
    // Nothing of what is gone stays.
    const bytes = readFileSync(place.path);
    expect(bytes.includes('hheron')).toBe(true);
    expect(bytes.includes('gheron')).toBe(false);
    expect(bytes.includes('6.txt')).toBe(false);
  });

  it('begins anew under other rules, and where the file is damaged', async () => {
    using place = openFolder({ a: 'one\n' });
    await place.update(['a']);
    const inode = place.inode();
    await place.update(['a'], { rules: 'others' });
    expect(place.inode()).not.toBe(inode);
    writeFileSync(place.path, 'something else');
    expect(place.segments()).toEqual([]);
    await place.update(['a']);
    expect(place.segments()).toEqual([{ a: 1 }]);
    await place.update([]);
    expect(place.segments()).toEqual([]);
  });

  it('keeps what is whole when it is interrupted, and goes on from there', async () => {
    using place = openFolder(large(8));
    const names = Object.keys(large(8));
    const interrupt = new AbortController();
    let reads = 0;
    const nowMs = (): number => {
      reads += 1;
      if (reads === 6) interrupt.abort(new Error('enough'));
      return later();
    };
    const more = [...names, ...Array.from({ length: 100 }, (_, at) => `small/${at}`)];
    for (const name of more.slice(8)) place.write(name, 'crane\n');
    await expect(place.update(more, { nowMs, signal: interrupt.signal })).rejects.toThrow('enough');
    const first = place.segments();
    expect(first.length).toBeGreaterThan(0);
    await place.update(more);
    expect(place.segments()[0]).toEqual(first[0]);
    expect(place.segments().flatMap((segment) => Object.keys(segment))).toHaveLength(108);
  });
});
