import {
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type WalkedFile, walkFiles } from '../../../memory/walk-files.ts';
import {
  decodeKnownWindows,
  encodeKnownWindows,
  type KnownQuestion,
} from '../../protocol/known-windows.ts';
import { countWindows } from '../../words/count-windows.ts';
import { updateWordFile } from '../../words/update-word-file.ts';
import { openWordFile } from '../../words/word-file.ts';
import { openTempTree, type TempTree, wholeWalk } from './fs-fixture.ts';
import type { TallyOptions, TallyResult } from './fs-types.ts';
import { createReach } from './reach-path.ts';
import { tallyTree } from './tally-tree.ts';

const { signal } = new AbortController();
const rules = 'as they are';

/** A tree whose words were counted, and what a tally says of it in both ways. */
type CountedTree = Disposable & {
  tree: TempTree;
  file: string;
  /** Counts the words anew, of all files but protected ones. */
  count(): Promise<void>;
  both(more?: Partial<TallyOptions>): Promise<{ live: TallyResult; known: TallyResult }>;
  /** files that were answered for in the last `both` */
  knownPaths: readonly string[];
};

const words = ['read', 'text', 'open_file', 'größ', 'x2', 'l', '_', 'a b'];

async function openCounted(
  files: Readonly<Record<string, string | Uint8Array>>,
  isProtected: (path: string) => boolean = () => false,
): Promise<CountedTree> {
  const tree = openTempTree(files);
  const file = join(tree.outside, 'words');
  const counted: CountedTree = {
    tree,
    file,
    knownPaths: [],
    count: async () => {
      const files: WalkedFile[] = [];
      for await (const found of walkFiles(tree.path, '', isProtected)) files.push(found);
      // What was written just now counts as settled.
      const nowMs = (): number => Date.now() + 10_000;
      await updateWordFile(file, { folder: tree.path, files, rules, nowMs }, { signal });
      nextTick(tree.outside);
    },
    both: async (more = {}) => {
      const options = { walk: wholeWalk, words, window: 20, overlap: 10, limit: 1000, ...more };
      const place = createReach(tree.roots, isProtected).place('work:');
      const question: KnownQuestion = {
        root: 'work',
        start: '',
        words: options.words,
        window: options.window,
        step: options.window - options.overlap,
      };
      using kept = openWordFile(file);
      const found = kept && (await countWindows(kept, tree.path, question, { signal }));
      counted.knownPaths = found?.paths ?? [];
      const parts = found && encodeKnownWindows(found);
      return {
        live: tallyTree(place, options),
        known: tallyTree(place, options, (asked) => {
          expect(asked).toEqual(question);
          return () => parts && decodeKnownWindows(parts);
        }),
      };
    },
    [Symbol.dispose]: () => tree[Symbol.dispose](),
  };
  await counted.count();
  return counted;
}

/** Waits until the file system gives another time: changes within one tick have the same. */
function nextTick(folder: string): void {
  const probe = join(folder, 'probe');
  const ticks = (): number => {
    writeFileSync(probe, '');
    return lstatSync(probe).ctimeMs;
  };
  const before = ticks();
  while (ticks() === before);
}

const lines = (count: number, line: string) => `${line}\n`.repeat(count);

describe('tallyTree() with known words', () => {
  it('reads no file that is as it was, and says the same', async () => {
    using counted = await openCounted({
      'a.ts': lines(45, 'readText(open_file, x2)'),
      'b/c.md': 'text without an end of line',
      'b/d.ts': lines(30, 'nothing here'),
      'empty.txt': '',
      'bom.txt': '\ufeffreadText\nread',
      'wide.txt': Buffer.from(`\ufeff${lines(25, 'readText größe')}`, 'utf16le'),
      'binary.bin': 'read\0',
      'long.js': 'read'.repeat(1000),
    });
    const { live, known } = await counted.both();
    expect(known).toEqual(live);
    expect(live.windows.length).toBeGreaterThan(3);
    expect(counted.knownPaths).toHaveLength(8);
    // What it is told of a file stands for the file.
    const told = {
      paths: ['a.ts'],
      files: Uint32Array.of(1, 7, 1),
      windows: Uint32Array.of(1, 7, 1, 5 << 6),
    };
    const place = createReach(counted.tree.roots, () => false).place('work:');
    const options = { walk: wholeWalk, words, window: 20, overlap: 10, limit: 1000 };
    const { windows, total } = tallyTree(place, options, () => () => told);
    expect(total).toBe(live.total - 3);
    expect(windows.find(({ path }) => path === 'work:a.ts')).toEqual({
      path: 'work:a.ts',
      line: 1,
      length: 7,
      counts: Uint32Array.of(5, 0, 0, 0, 0, 0, 0, 0),
    });
  });

  it('asks for nothing where windows begin beside the counts, and of few files', async () => {
    using counted = await openCounted({ 'a.ts': lines(45, 'readText') });
    const place = createReach(counted.tree.roots, () => false).place('work:');
    const options = { walk: wholeWalk, words, window: 20, overlap: 5, limit: 10 };
    const notAsked = () => expect.unreachable('it was asked');
    tallyTree(place, options, notAsked);
    const few = { ...wholeWalk, include: ['*.ts'] };
    tallyTree(place, { ...options, overlap: 10, walk: few }, notAsked);
    const flat = { ...wholeWalk, maxDepth: 1 };
    tallyTree(place, { ...options, overlap: 10, walk: flat }, notAsked);
  });

  it('takes the answer before it fails', async () => {
    using counted = await openCounted({ 'a.ts': 'read' });
    const place = createReach(counted.tree.roots, () => false).place('work:');
    const walk = { ...wholeWalk, exclude: new Array<string>(1000).fill('a') };
    const options = { walk, words, window: 20, overlap: 10, limit: 10 };
    let taken = 0;
    const ask = () => () => {
      taken += 1;
      return undefined;
    };
    expect(() => tallyTree(place, options, ask)).toThrow();
    expect(taken).toBe(1);
  });

  it('notices a text of the same size whose time was put back', async () => {
    using counted = await openCounted({ 'a.ts': 'read read\n', 'b.ts': 'text\n' });
    const path = join(counted.tree.path, 'a.ts');
    const { atime, mtime } = statSync(path);
    writeFileSync(path, 'text text\n');
    utimesSync(path, atime, mtime);
    const { live, known } = await counted.both();
    expect(known).toEqual(live);
    expect(counted.knownPaths).toEqual(['b.ts']);
    expect(live.holding.slice(0, 2)).toEqual(Uint32Array.of(0, 2));
  });

  it('follows no link that took the place of a file or a folder', async () => {
    using counted = await openCounted({ 'a.ts': 'read\n', 'b/c.ts': 'read\n', 'd.ts': 'read\n' });
    const { tree } = counted;
    renameSync(join(tree.path, 'b'), join(tree.outside, 'b'));
    symlinkSync('../b', join(tree.path, 'b'));
    renameSync(join(tree.path, 'a.ts'), join(tree.outside, 'a.ts'));
    symlinkSync('../a.ts', join(tree.path, 'a.ts'));
    const { live, known } = await counted.both();
    expect(known).toEqual(live);
    expect(live.windows.map(({ path }) => path)).toEqual(['work:d.ts']);
  });

  it('says nothing of what became protected or ignored', async () => {
    let secret = '';
    using counted = await openCounted({ 'a.ts': 'read\n', 'b.ts': 'read\n' }, (path) => {
      return path === secret;
    });
    secret = 'a.ts';
    const first = await counted.both();
    expect(first.known).toEqual(first.live);
    expect(first.live.windows.map(({ path }) => path)).toEqual(['work:b.ts']);
    mkdirSync(join(counted.tree.path, '.git'));
    counted.tree.write({ '.gitignore': 'b.ts\n' });
    const second = await counted.both();
    expect(second.known).toEqual(second.live);
    expect(second.live.windows).toEqual([]);
  });

  const name = fc.constantFrom('a.ts', 'b/c.ts', 'b/d_test.py', 'b/e/f.md', 'g.txt', '.gitignore');
  const line = fc.oneof(
    fc.constantFrom(
      'readText',
      'open_file2 x2',
      '_read HTTPRead',
      '',
      'Größe größer',
      'L l',
      '*.md',
    ),
    fc.string({
      unit: fc.constantFrom('a', 'R', 'e', 'd', '_', '2', ' ', '.', 'ß'),
      maxLength: 12,
    }),
  );
  const text = fc
    .tuple(fc.array(line, { maxLength: 35 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
    .map(([all, end, isEnded]) => all.join(end) + (isEnded ? end : ''));
  const change = fc.oneof(
    fc.record({ kind: fc.constant('write' as const), name, text }),
    fc.record({ kind: fc.constant('remove' as const), name }),
    fc.record({ kind: fc.constant('rename' as const), name, to: name }),
    fc.record({ kind: fc.constant('link' as const), name, to: name }),
    fc.record({ kind: fc.constant('reverse' as const), name }),
    fc.record({ kind: fc.constant('count' as const) }),
  );
  type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

  it('says what it says without, whatever is changed', { timeout: 60_000 }, async () => {
    const files = fc.dictionary(name, text, { maxKeys: 5 });
    const changes = fc.array(change, { maxLength: 5 });
    const window = fc.constantFrom({ window: 10, overlap: 0 }, { window: 20, overlap: 10 });
    const property = fc.asyncProperty(files, changes, window, async (before, all, size) => {
      using counted = await openCounted(before);
      for (const each of all) await apply(counted, each);
      const { live, known } = await counted.both(size);
      expect(known).toEqual(live);
    });
    await fc.assert(property, { numRuns: 100 });
  });

  async function apply(counted: CountedTree, change: Change): Promise<void> {
    const at = (path: string): string => join(counted.tree.path, path);
    if (change.kind === 'count') return await counted.count();
    const from = at(change.name);
    const isThere = lstatSync(from, { throwIfNoEntry: false })?.isFile() === true;
    if (change.kind === 'write') counted.tree.write({ [change.name]: change.text });
    else if (!isThere) return;
    else if (change.kind === 'remove') rmSync(from);
    else if (change.kind === 'reverse') {
      const { atime, mtime } = statSync(from);
      writeFileSync(from, readFileSync(from).reverse());
      utimesSync(from, atime, mtime);
    } else {
      mkdirSync(dirname(at(change.to)), { recursive: true });
      if (change.kind === 'rename') renameSync(from, at(change.to));
      else if (!lstatSync(at(change.to), { throwIfNoEntry: false })) linkSync(from, at(change.to));
    }
  }

  it('says what it says without, whatever of the counts is damaged', async () => {
    using counted = await openCounted({
      'a.ts': lines(45, 'readText(open_file, x2) l'),
      'b/c.md': lines(12, 'text and größe'),
    });
    const whole = readFileSync(counted.file);
    const flip = fc.tuple(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }));
    const cut = fc.nat({ max: whole.length });
    const property = fc.asyncProperty(fc.option(flip), fc.option(cut), async (one, end) => {
      const bytes = Buffer.from(whole.subarray(0, end ?? whole.length));
      if (one !== null && one[0] < bytes.length) bytes[one[0]]! ^= one[1];
      writeFileSync(counted.file, bytes);
      const { live, known } = await counted.both();
      expect(known).toEqual(live);
    });
    await fc.assert(property, { numRuns: 200 });
    writeFileSync(counted.file, whole);
    await counted.both();
    expect(counted.knownPaths).toHaveLength(2);
  });
});
