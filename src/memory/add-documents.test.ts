import { describe, expect, it } from 'vitest';
import type { MemoryFilter, MemoryRecord } from '../contracts/memory.ts';
import type { MemorySource } from '../contracts/memory-store.ts';
import { addDocuments, type Document, gone, unreadable } from './add-documents.ts';
import { memoryId } from './memory-record.ts';

const signal = new AbortController().signal;

/** Rows and sources in maps, with the memory's own ids. */
function openShelf() {
  const rows = new Map<string, MemoryRecord>();
  const sources = new Map<string, MemorySource>();
  const written: number[] = [];
  const claimed: string[][] = [];
  const fault = { isDue: false };
  const ports = {
    memory: {
      ingest: async (
        records: readonly MemoryRecord[],
        { claim }: { claim(): ReadonlySet<string> },
      ) => {
        written.push(records.length);
        claimed.push([...claim()]);
        for (const record of records) {
          if (fault.isDue) throw new Error('killed');
          rows.set(memoryId(record), record);
        }
      },
      list: async ({ sources: names = [] }: MemoryFilter) =>
        [...rows]
          .filter(([, record]) => names.includes(record.source ?? ''))
          .map(([id, record]) => ({ id, record })),
      forget: async ({ ids = [] }: MemoryFilter) => {
        for (const id of ids) rows.delete(id);
        return { interact: 0, insights: 0, assets: ids.length };
      },
    },
    sources: {
      get: (_project: string, source: string) => sources.get(source),
      all: () => [...sources.values()],
      put: (entries: readonly MemorySource[]) => {
        for (const entry of entries) sources.set(entry.source, entry);
      },
      remove: (_project: string, source: string) => void sources.delete(source),
      projects: () => [],
      indexedProjects: () => [],
    },
    clock: { nowMs: () => 7 },
  };
  const reads: string[] = [];
  const file = (source: string, text: string | undefined, changedMs = 1): Document => ({
    source,
    bytes: text?.length ?? 1,
    changedMs,
    read: async () => {
      reads.push(source);
      return text;
    },
  });
  const add = async (...documents: Document[]) => {
    async function* all() {
      yield* documents;
    }
    return await addDocuments(ports, '/p', all(), { signal });
  };
  const places = () =>
    [...rows.values()].map(({ source, tags }) => `${source} ${tags.join()}`).sort();
  return { rows, sources, written, claimed, fault, reads, file, add, places };
}

const two = '# One\n\nfirst\n\n# Two\n\nsecond\n';

describe('addDocuments()', () => {
  it('keeps pieces with their place, and what they are found by', async () => {
    const shelf = openShelf();
    expect(await shelf.add(shelf.file('docs/someGuide.md', two))).toEqual({
      added: 1,
      unchanged: 0,
      skipped: 0,
      unreadable: 0,
      unreadablePaths: [],
      chunks: 2,
      removed: 0,
    });
    expect(shelf.places()).toEqual(['docs/someGuide.md lines:1-3', 'docs/someGuide.md lines:5-7']);
    const [first] = shelf.rows.values();
    expect(first).toMatchObject({ layer: 'assets', kind: 'markdown', project: '/p', ts: 7 });
    expect(first?.context).toBe('docs some Guide.md One\n# One\n\nfirst');
  });

  it('does not read what looks as it did, nor write what reads as it did', async () => {
    const shelf = openShelf();
    await shelf.add(shelf.file('a.md', two));
    expect(await shelf.add(shelf.file('a.md', two))).toMatchObject({ added: 0, unchanged: 1 });
    expect(shelf.reads).toEqual(['a.md']);
    expect(await shelf.add(shelf.file('a.md', two, 2))).toMatchObject({ added: 0, unchanged: 1 });
    expect(shelf.reads).toEqual(['a.md', 'a.md']);
    expect(shelf.written).toEqual([2]);
  });

  it('writes only pieces that are new or stand elsewhere, and takes away those that are no more', async () => {
    const shelf = openShelf();
    await shelf.add(shelf.file('a.md', two));
    const done = await shelf.add(shelf.file('a.md', `${two}\n# Three\n\nthird\n`, 2));
    expect(done).toMatchObject({ chunks: 1, removed: 0 });
    const shorter = '\n\n# Two\n\nsecond\n\n# Three\n\nthird\n';
    const moved = await shelf.add(shelf.file('a.md', shorter, 3));
    expect(moved).toMatchObject({ chunks: 2, removed: 1 });
    expect(shelf.places()).toEqual(['a.md lines:3-5', 'a.md lines:7-9']);
  });

  it('passes over what is not text', async () => {
    const shelf = openShelf();
    const done = await shelf.add(shelf.file('a.bin', undefined), shelf.file('b.md', two));
    expect(done).toMatchObject({ added: 1, skipped: 1 });
  });

  it('brings back what was forgotten', async () => {
    const shelf = openShelf();
    await shelf.add(shelf.file('a.md', two));
    const entry = shelf.sources.get('a.md') as MemorySource;
    shelf.sources.set('a.md', { ...entry, forgottenMs: 5 });
    shelf.rows.clear();
    expect(await shelf.add(shelf.file('a.md', two))).toMatchObject({ added: 1, chunks: 2 });
    expect(shelf.sources.get('a.md')).toEqual(entry);
  });

  it('marks nothing as known whose pieces were not kept', async () => {
    const shelf = openShelf();
    const failing = { ...shelf.file('b.md', two), read: () => Promise.reject(new Error('gone')) };
    await expect(shelf.add(shelf.file('a.md', two), failing)).rejects.toThrow('gone');
    expect([shelf.sources.size, shelf.rows.size]).toEqual([0, 0]);
    expect(await shelf.add(shelf.file('a.md', two))).toMatchObject({ added: 1 });
  });

  it('claims sources that can have no row, and looks for rows of those where it was cut off', async () => {
    const shelf = openShelf();
    shelf.fault.isDue = true;
    await expect(shelf.add(shelf.file('a.md', two))).rejects.toThrow('killed');
    expect(shelf.sources.get('a.md')).toMatchObject({ hash: '' });
    shelf.fault.isDue = false;
    expect(await shelf.add(shelf.file('a.md', two))).toMatchObject({ added: 1, chunks: 2 });
    expect(shelf.claimed).toEqual([['a.md'], []]);
  });

  it('takes away what a file held that is no longer text, and reads it once', async () => {
    const shelf = openShelf();
    await shelf.add(shelf.file('a.md', two));
    const binary = shelf.file('a.md', undefined, 2);
    expect(await shelf.add(binary)).toMatchObject({ skipped: 1, removed: 2 });
    expect(shelf.rows.size).toBe(0);
    expect(await shelf.add(binary)).toMatchObject({ skipped: 1, unchanged: 0 });
    expect(shelf.reads).toEqual(['a.md', 'a.md']);
  });

  it('names what cannot be read, and looks at it again though its time is the same', async () => {
    const shelf = openShelf();
    await shelf.add(shelf.file('a.md', two));
    const locked = { ...shelf.file('a.md', two, 2), read: async () => unreadable } as Document;
    const left = { skipped: 0, unreadable: 1, unreadablePaths: ['a.md'] };
    expect(await shelf.add(locked)).toMatchObject({ ...left, removed: 2 });
    expect(await shelf.add(locked)).toMatchObject(left);
    expect(await shelf.add(shelf.file('a.md', two, 2))).toMatchObject({ added: 1, unreadable: 0 });
  });

  it('counts nothing for what went away since it was listed, and lets go of what it held', async () => {
    const shelf = openShelf();
    await shelf.add(shelf.file('a.md', two));
    const goes = (name: string): Document => ({
      ...shelf.file(name, two, 2),
      read: async () => gone,
    });
    expect(await shelf.add(goes('a.md'), goes('new.md'))).toMatchObject({
      ...{ added: 0, unchanged: 0, skipped: 0, unreadable: 0, removed: 2 },
    });
    expect(shelf.rows.size).toBe(0);
    expect([...shelf.sources.keys()]).toEqual(['a.md']);
    expect(await shelf.add(shelf.file('a.md', two, 2))).toMatchObject({ added: 1 });
  });

  it('names twenty of those that cannot be read and counts all', async () => {
    const shelf = openShelf();
    const locked = Array.from(
      { length: 30 },
      (_, at): Document => ({ ...shelf.file(`${at}.md`, two), read: async () => unreadable }),
    );
    const done = await shelf.add(...locked);
    expect([done.unreadable, done.unreadablePaths.length]).toEqual([30, 20]);
  });

  it('keeps pieces that read alike once', async () => {
    const shelf = openShelf();
    const same = '# One\n\nfirst\n';
    expect(await shelf.add(shelf.file('a.md', `${same}\n${same}`))).toMatchObject({ chunks: 1 });
    expect(shelf.places()).toEqual(['a.md lines:1-3']);
  });
});
