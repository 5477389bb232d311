import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type FileChange, linkMode } from '../../contracts/file-changes.ts';
import { showRaw } from '../../lib/files/raw-fs.ts';
import { readTextIfPresent } from '../../lib/files/read-file.ts';
import { isSettled } from '../../lib/files/times.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import { sha256 } from '../../lib/sha256.ts';
import { gitHistory } from './git-history.ts';
import { look, openReader, type Walked, walkRoot } from './walk-root.ts';

/** A change that has not been recorded yet. */
export type Change = Omit<FileChange, 'ts'>;

/** A row, or two if another kind of file is there now. */
export function changesOf(
  at: { root: string; path: string },
  now: {
    before: Walked | undefined;
    after: Walked | undefined;
    beforeHash: string | undefined;
    afterHash: string | undefined;
  },
): Change[] {
  const { before, after } = now;
  const hashOf = (key: 'beforeHash' | 'afterHash') =>
    now[key] === undefined ? {} : { [key]: now[key] };
  if (before !== undefined && after !== undefined && before.kind === after.kind) {
    // A folder's own permissions are not put back.
    if (after.kind === 'directory') return [];
    if (now.beforeHash === now.afterHash && before.mode === after.mode) return [];
    const afterMode = before.mode === after.mode ? {} : { afterMode: after.mode };
    const hashes = { ...hashOf('beforeHash'), ...hashOf('afterHash') };
    return [{ ...at, kind: 'write', ...hashes, mode: modeOf(before), ...afterMode }];
  }
  return [
    ...(before === undefined
      ? []
      : [{ ...at, kind: 'remove' as const, ...hashOf('beforeHash'), mode: modeOf(before) }]),
    ...(after === undefined
      ? []
      : [{ ...at, kind: 'create' as const, ...hashOf('afterHash'), mode: modeOf(after) }]),
  ];
}

function modeOf({ kind, mode }: Walked): number {
  return kind === 'link' ? linkMode | 0o777 : mode;
}

/** The changes that a dry run would make to the workspace. */
export type CopyChanges = {
  /** from what the copy holds back to what the workspace held: taking them back applies them */
  inverse: Change[];
  /** what cannot be applied, with the reason */
  left: { path: string; why: string }[];
  /** path -> SHA-256 of what the workspace holds, where that is what was copied */
  hashes: Map<string, string>;
};

/** Stands for the hash of a file that changed since the copy; equals no hash. */
const changedMeanwhile = 'changed';
/** More than a copy can hold when it is made. */
const maxEntries = 1_000_000;

/**
 * Compares the copy of a dry run with what it was made of.
 *
 * @param root name of the root
 * @param folder of the copy
 */
export async function copyChanges(
  root: string,
  folder: string,
  record: DryRunRecord,
): Promise<CopyChanges> {
  const now = await walkCopy(root, folder);
  using copy = openReader(root, folder);
  using workspace = openReader(root, record.workspace);
  const inverse: Change[] = [];
  const left: CopyChanges['left'] = [];
  const hashes: CopyChanges['hashes'] = new Map();
  for (const { path, after: wanted } of compareWalks(record.copy, now, record.takenAtMs)) {
    const original = record.original.get(path);
    const read = hasBytes(wanted) ? copy.read(path) : undefined;
    if (wanted?.kind === 'other' || (hasBytes(wanted) && read === undefined)) {
      left.push({ path: showRaw(path), why: 'cuervo cannot keep a copy of it' });
      continue;
    }
    const held = hasBytes(original) ? workspace.read(path)?.hash : undefined;
    // A file that was only touched, or written anew with the same bytes, is what was copied.
    const isAsItWas =
      isExactly(original, look(`${record.workspace}/${path}`)) || record.hashes.get(path) === held;
    const before = isAsItWas ? held : undefined;
    if (before !== undefined) hashes.set(path, before);
    const afterHash = hasBytes(original) ? (before ?? changedMeanwhile) : undefined;
    const states = { before: wanted, after: original, beforeHash: read?.hash, afterHash };
    inverse.push(...changesOf({ root, path }, states));
  }
  for (const path of record.copy.keys()) {
    if (!/(?:^|\/)\.git$/i.test(path)) continue;
    if (gitHistory(`${folder}/${path}`) === record.copy.get(path)?.history) continue;
    left.push({ path, why: 'commits and what is staged are not applied' });
  }
  return { inverse, left, hashes };
}

/** A copy as it is now: all of it, ignored or not, but for repositories. */
export async function walkCopy(root: string, folder: string): Promise<Map<string, Walked>> {
  const isProtected = (): boolean => false;
  const walk = await walkRoot(root, folder, { isProtected, maxEntries, closed: new Map() });
  for (const path of walk.repositories) {
    const found = look(`${folder}/${path}`);
    const history = gitHistory(`${folder}/${path}`);
    if (found?.kind === 'directory') walk.entries.set(path, { ...found, history });
  }
  return walk.entries;
}

function hasBytes(entry: Walked | undefined): entry is Walked {
  return entry?.kind === 'file' || entry?.kind === 'link';
}

function isExactly(then: Walked | undefined, now: Walked | undefined): boolean {
  if (then === undefined || now === undefined) return then === now;
  return (
    then.kind === now.kind &&
    then.ino === now.ino &&
    then.size === now.size &&
    then.mode === now.mode &&
    then.mtimeNs === now.mtimeNs &&
    then.ctimeNs === now.ctimeNs
  );
}

/** Facts on a dry run beside its copy of the workspace. */
export type DryRunRecord = {
  run: string;
  /** absolute directory that was copied */
  workspace: string;
  /** ms since the epoch, when the copy was complete */
  takenAtMs: number;
  /** the workspace and the copy as they were then */
  original: ReadonlyMap<string, Walked>;
  copy: ReadonlyMap<string, Walked>;
  /** path -> SHA-256 of what the workspace held there, of paths that it changed */
  hashes: ReadonlyMap<string, string>;
};

type Stored = Omit<DryRunRecord, 'original' | 'copy' | 'hashes'> & {
  original: [string, Walked][];
  copy: [string, Walked][];
};

const name = 'record.json';
const hashesName = 'hashes.json';

/** @param folder of the dry run, below `CUERVO_HOME/dry-runs` */
export function writeDryRun(folder: string, record: Omit<DryRunRecord, 'hashes'>): void {
  const { original, copy, ...rest } = record;
  const stored: Stored = { ...rest, original: [...original], copy: [...copy] };
  writeFileWhole(join(folder, name), JSON.stringify(stored));
}

/** Keeps what the workspace held, for whoever looks when its files bear another time. */
export function writeHashes(folder: string, hashes: DryRunRecord['hashes']): void {
  writeFileWhole(join(folder, hashesName), JSON.stringify([...hashes]));
}

/** Forgets it, its record first: whoever looks meanwhile sees a whole copy or none. */
export function removeDryRun(folder: string): void {
  rmSync(join(folder, name), { force: true });
  rmSync(folder, { recursive: true, force: true });
}

/** Undefined where none was finished: its run was cut off, or never began. */
export function readDryRun(folder: string): DryRunRecord | undefined {
  try {
    // Only cuervo writes below its home.
    const stored = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Stored;
    const maps = { original: new Map(stored.original), copy: new Map(stored.copy) };
    return { ...stored, ...maps, hashes: readHashes(folder) };
  } catch {
    return undefined;
  }
}

/** Empty where its run was cut off before anybody looked at what it changed. */
function readHashes(folder: string): Map<string, string> {
  const text = readTextIfPresent(join(folder, hashesName)) ?? '[]';
  return new Map(JSON.parse(text) as [string, string][]);
}

/** A path that differs, as far as a look at it tells. */
export type Difference = { path: string; before?: Walked; after?: Walked };

/**
 * The differences between two walks, in an order in which they can be made: removals first, deepest
 * first, then additions.
 *
 * @param takenAtMs start of the first walk, ms since the epoch
 */
export function compareWalks(
  before: ReadonlyMap<string, Walked>,
  after: ReadonlyMap<string, Walked>,
  takenAtMs: number,
): Difference[] {
  const gone = [...before]
    .filter(([path]) => !after.has(path))
    .map(([path, was]): Difference => ({ path, before: was }))
    .reverse();
  const there = [...after].flatMap(([path, is]): Difference[] => {
    const was = before.get(path);
    if (was === undefined) return [{ path, after: is }];
    return isSame(was, is, takenAtMs) ? [] : [{ path, before: was, after: is }];
  });
  return [...gone, ...there];
}

function isSame(was: Walked, is: Walked, takenAtMs: number): boolean {
  if (was.kind !== is.kind || was.mode !== is.mode) return false;
  if (is.kind === 'directory') return true;
  return (
    was.ino === is.ino &&
    was.size === is.size &&
    was.mtimeNs === is.mtimeNs &&
    was.ctimeNs === is.ctimeNs &&
    isSettled(Number(is.ctimeNs) / 1e6, takenAtMs)
  );
}

/** Whether what is known of a file's bytes still holds. @param readAtMs when they were read */
function isStill(
  known: Pick<Walked, 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>,
  now: Walked,
  readAtMs: number,
): boolean {
  return (
    known.ino === now.ino &&
    known.size === now.size &&
    known.mtimeNs === now.mtimeNs &&
    known.ctimeNs === now.ctimeNs &&
    isSettled(Number(now.ctimeNs) / 1e6, readAtMs)
  );
}

/** A file as it was read: `[path, ino, size, mtimeNs, ctimeNs, readAtMs, SHA-256]`. */
type Row = [string, number, number, string, string, number, string];

/** The hash of a file when it was last read, found by the file's `stat`. */
export type KnownHashes = {
  /** undefined where the file may have changed since */
  of(path: string, now: Walked): string | undefined;
  set(path: string, now: Walked, readAtMs: number, hash: string): void;
};

/** The largest file on the disk; above it everything is read again. */
const maxFileBytes = 64 * 1024 * 1024;

/**
 * Remembered from one process to the next, so that only changed files are read again. An unreadable
 * memory is dropped, which only costs time.
 *
 * @param folder `CUERVO_HOME/snapshots`, made by the first save
 * @param root its absolute directory
 */
export function loadKnownHashes(
  folder: string,
  root: string,
): KnownHashes & {
  /** @param still the paths that there are */ save(still: ReadonlySet<string>): void;
} {
  const path = join(folder, `${sha256(root)}.json`);
  const rows = new Map(read(path).map((row) => [row[0], row]));
  let isChanged = false;
  return {
    of: (at, now) => {
      const row = rows.get(at);
      if (row === undefined) return undefined;
      const [, ino, size, mtimeNs, ctimeNs, readAtMs, hash] = row;
      return isStill({ ino, size, mtimeNs, ctimeNs }, now, readAtMs) ? hash : undefined;
    },
    set: (at, { ino, size, mtimeNs, ctimeNs }, readAtMs, hash) => {
      rows.set(at, [at, ino, size, mtimeNs, ctimeNs, readAtMs, hash]);
      isChanged = true;
    },
    save: (still) => {
      if (!isChanged) return;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const kept = [...rows.values()].filter(([at]) => still.has(at));
        writeFileWhole(path, JSON.stringify(kept), { flush: false });
        isChanged = false;
      } catch {
        rmSync(path, { force: true });
      }
    },
  };
}

function read(path: string): Row[] {
  try {
    const text = readFileSync(path, 'utf8');
    const value: unknown = text.length > maxFileBytes ? [] : JSON.parse(text);
    return Array.isArray(value) ? value.filter(isRow) : [];
  } catch {
    return [];
  }
}

function isRow(value: unknown): value is Row {
  if (!Array.isArray(value) || value.length !== 7) return false;
  const kinds = ['string', 'number', 'number', 'string', 'string', 'number', 'string'];
  return kinds.every((kind, index) => typeof value[index] === kind);
}
