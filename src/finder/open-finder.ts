import { readFileWords } from '../fs/file-words.ts';
import type { Candidates } from '../fs/fs-types.ts';
import { lookAtPath, maxListMs, readFiles, sightOf } from '../fs/list-tree.ts';
import { yieldToEvents } from '../lib/turns.ts';
import { answerScan, answerTally } from './answer-search.ts';
import {
  compareFolders,
  compareTree,
  type Difference,
  type KnownTree,
  settled,
  visibleRows,
} from './known-tree.ts';
import { type Folders, type IndexFile, openIndexFile, type Row } from './open-index-file.ts';
import type { FinderQuestion } from './parse-question.ts';

export type FinderState = {
  /** files that the index knows as they are */
  files: number;
  /** files that have changed since, or are new */
  stale: number;
  gone: number;
};

/** The index of one workspace, open. The caller owns it. */
export type Finder = Disposable & {
  /**
   * The files in which a walk, scan or tally can find something, as the files are now.
   *
   * @param freshSinceMs on the clock of `performance`: the files are not looked at again where that
   *   was done later
   * @returns undefined where the index cannot tell
   */
  answer(question: FinderQuestion, freshSinceMs: number): Candidates | undefined;
  /** Reads what is new or changed. What was read is kept when it is interrupted. */
  update(options: {
    signal: AbortSignal;
    onProgress?: (done: { files: number; of: number }) => void;
  }): Promise<{ files: number; read: number; gone: number }>;
  state(): FinderState;
  /**
   * Reads what changed in some folders. For the one process that watches.
   */
  updateFolders(changed: ReadonlySet<string>): void;
  folders(): Folders;
  /** Whether the watching process has read all reported changes, and its list of files is whole. */
  isCaughtUp(): boolean;
  setCaughtUp(isCaughtUp: boolean): void;
};

/** More than that is not read before an answer. */
const inlineFiles = 300;
const inlineBytes = 8 * 1024 * 1024;
/** What is written at once. */
const batchFiles = 400;
const batchBytes = 4 * 1024 * 1024;
/** Views of the tree that are kept: each kind of search has its own globs. */
const keptViews = 8;
const attempts = 3;

/**
 * @param ports.path of the file that holds the index
 * @param ports.key of what may be read
 * @param ports.isWithheld takes paths that no search may come by
 */
export function openFinder(ports: {
  path: string;
  root: string;
  key: string;
  isWithheld: (path: string) => boolean;
}): Finder {
  const { root, isWithheld } = ports;
  const index = openIndexFile(ports.path, ports.key);
  let tree: KnownTree = { rows: [], folders: new Map(), isWhole: true };
  let version = -1;
  let comparedMs = Number.NEGATIVE_INFINITY;
  let views = new Map<string, Row[] | undefined>();

  function load(): void {
    const now = index.version();
    if (now === version) return;
    const isWhole = index.state('partial') !== 1;
    tree = { rows: index.rows(), folders: index.folders(), isWhole };
    version = now;
    comparedMs = Number.NEGATIVE_INFINITY;
    views.clear();
  }

  const read = (rows: readonly Row[]) => readRows({ root, isWithheld, index }, rows);

  /**
   * Keeps a difference. Folders are written only when each of their files has a row, because
   * another process takes the rows for all files.
   */
  function keep({ tree: now, stale, gone, isListed }: Difference, isRead: boolean): void {
    const unknown = new Set(isRead ? [] : stale.map(({ path }) => path));
    if (unknown.size > 0) for (const { id, path } of tree.rows) if (id !== 0) unknown.delete(path);
    const isComplete = unknown.size === 0;
    const folders: Folders = isComplete ? now.folders : new Map();
    if (isListed || gone.length > 0 || !isComplete) index.settle(gone, folders, now.isWhole);
    tree = now;
    views.clear();
  }

  function keepRead(rows: ReadonlyMap<string, Row>): void {
    if (rows.size === 0) return;
    tree = { ...tree, rows: tree.rows.map((row) => rows.get(row.path) ?? row) };
    views.clear();
  }

  /**
   * Looks at the files, and reads what is little.
   *
   * @returns false where a list is cut short: the one who keeps the index up may know more
   */
  function refresh(): boolean {
    const startedMs = performance.now();
    const difference = compareTree(root, tree, isWithheld);
    const { stale, gone, isListed, isCut } = difference;
    if (isCut) return false;
    if (stale.length > 0 || gone.length > 0 || isListed) {
      const bytes = stale.reduce((sum, { size }) => sum + size, 0);
      const isLittle = stale.length <= inlineFiles && bytes <= inlineBytes;
      const rows = isLittle ? read(stale) : new Map<string, Row>();
      keep(difference, isLittle);
      keepRead(rows);
    }
    comparedMs = startedMs;
    return true;
  }

  function view({ start, options, call }: FinderQuestion): Row[] | undefined {
    const walk = call === 'walk' ? options : options.walk;
    // A walk counts what it comes by, and ends at its limit.
    if (call !== 'walk' && walk.limit < tree.rows.length + tree.folders.size) return undefined;
    const { limit: _, ...rest } = walk;
    const key = JSON.stringify([start, rest]);
    if (!views.has(key)) {
      if (views.size >= keptViews) views = new Map();
      views.set(key, visibleRows(root, tree, start, walk));
    }
    return views.get(key);
  }

  function answerNow(question: FinderQuestion): Candidates | undefined {
    const rows = view(question);
    if (rows === undefined) return undefined;
    switch (question.call) {
      case 'scan':
        return answerScan(index, rows, question.options);
      case 'tally':
        return answerTally(index, rows, question.options);
      case 'walk':
        return question.options.include.length === 0
          ? undefined
          : { paths: rows.slice(0, question.options.limit + 1).map(({ path }) => path) };
    }
  }

  return {
    answer: (question, freshSinceMs) => {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        load();
        if (comparedMs < freshSinceMs && !refresh()) return undefined;
        const answered = index.atOnce(() =>
          index.version() === version ? { candidates: answerNow(question) } : undefined,
        );
        if (answered !== undefined) return answered.candidates;
      }
      return undefined;
    },
    update: async ({ signal, onProgress }) => {
      load();
      const turn = yieldToEvents(signal);
      // What a busy machine cut short is listed once more.
      const known = tree.isWhole ? tree : { ...tree, folders: new Map() };
      const difference = compareTree(root, known, isWithheld, maxListMs.updating);
      keep(difference, false);
      const { stale, gone } = difference;
      let done = 0;
      for (const batch of batchesOf(stale)) {
        signal.throwIfAborted();
        keepRead(read(batch));
        done += batch.length;
        onProgress?.({ files: done, of: stale.length });
        const waits = turn();
        if (waits !== undefined) await waits;
      }
      if (stale.length > 0) index.settle([], tree.folders, tree.isWhole);
      return { files: tree.rows.length, read: stale.length, gone: gone.length };
    },
    updateFolders: (changed) => {
      load();
      const difference = compareFolders(root, tree, changed, isWithheld);
      keep(difference, false);
      for (const batch of batchesOf(difference.stale)) keepRead(read(batch));
      index.settle([], tree.folders, tree.isWhole);
    },
    folders: () => tree.folders,
    isCaughtUp: () => index.state('behind') !== 1,
    setCaughtUp: (isCaughtUp) => index.setState('behind', isCaughtUp && tree.isWhole ? 0 : 1),
    state: () => {
      load();
      const { tree: now, stale, gone } = compareTree(root, tree, isWithheld);
      // A file that changed just before it was read is read again, and is most likely the same.
      const before = new Map(tree.rows.map((row) => [row.path, row]));
      const changed = stale.filter(({ path, size, mtimeMs }) => {
        const row = before.get(path);
        return row === undefined || row.id === 0 || row.size !== size || row.mtimeMs !== mtimeMs;
      }).length;
      return { files: now.rows.length - changed, stale: changed, gone: gone.length };
    },
    [Symbol.dispose]: () => index[Symbol.dispose](),
  };
}

/** Reads files and writes them down. @returns their rows by path */
function readRows(
  {
    root,
    isWithheld,
    index,
  }: { root: string; isWithheld: (path: string) => boolean; index: IndexFile },
  rows: readonly Row[],
): Map<string, Row> {
  const byPath = new Map(rows.map((row) => [row.path, row]));
  const files: Parameters<IndexFile['put']>[0][number][] = [];
  const readMs = Date.now();
  const take = (path: string, buffer: Buffer, length: number): void => {
    const stats = lookAtPath(`${root}/${path}`);
    const row = byPath.get(path);
    if (stats === undefined || row === undefined) return;
    const now = { ...row, ...sightOf(stats), isFile: stats.isFile() && !isWithheld(path) };
    const isOther = now.mtimeMs !== row.mtimeMs || now.ctimeMs !== row.ctimeMs;
    const entry = isOther ? { ...now, ctimeMs: -1 } : settled(now, readMs);
    files.push({ entry, words: readFileWords(buffer, length) });
  };
  readFiles(root, { paths: rows.filter(({ isFile }) => isFile).map(({ path }) => path) }, take);
  for (const row of rows.filter(({ isFile }) => !isFile))
    files.push({ entry: row, words: readFileWords(Buffer.alloc(1), -1) });
  return new Map(index.put(files).map((row) => [row.path, row]));
}

function* batchesOf(rows: readonly Row[]): Generator<Row[], void, undefined> {
  let batch: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    batch.push(row);
    bytes += row.size;
    if (batch.length < batchFiles && bytes < batchBytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
