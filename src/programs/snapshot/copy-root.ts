import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import type { ProtectedCheck } from '../../contracts/content-gate.ts';
import { showRaw } from '../../lib/files/raw-fs.ts';
import { setTimes } from '../../lib/files/times.ts';
import { partOwner } from '../../paths/parse-path.ts';
import { type RootWalk, type Walked, walkRoot } from './walk-root.ts';

/** A write that goes on is younger. */
const strayAgeMs = 60 * 60 * 1000;

/**
 * Removes what cut-off writes left in a root.
 *
 * @param entries of a walk of it; what is removed is taken out of them
 * @param nowMs ms since the epoch
 * @returns how many were removed
 */
export function sweepParts(folder: string, entries: Map<string, Walked>, nowMs: number): number {
  let swept = 0;
  for (const [path, { kind, mtimeNs }] of entries) {
    if ((kind !== 'file' && kind !== 'link') || Number(mtimeNs) / 1e6 > nowMs - strayAgeMs)
      continue;
    if (partOwner(basename(path)) === undefined) continue;
    rmSync(join(folder, path), { force: true });
    entries.delete(path);
    swept += 1;
  }
  return swept;
}

/** Up to where a root is copied. */
export type CopyLimits = { bytes: number; entries: number };

/** The content of a root's copy: path -> entry, with `.git`. */
export type CopyPlan = {
  entries: ReadonlyMap<string, Walked>;
  /** git-ignored folders that are left out, because with them it would be too much */
  left: readonly string[];
};

/** Files between two turns of the event loop. */
const filesPerTurn = 100;
/** The file system shares the blocks where it can, and copies them else; a link is not followed. */
const howToCopy = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;

/**
 * Looks at what a copy of a root would hold: everything but protected files, and without what git
 * ignores where that alone is too much.
 *
 * @returns undefined when it is too much either way; `bytes` of what there is
 */
export async function planCopy(
  root: string,
  folder: string,
  options: { isProtected: ProtectedCheck; limits: CopyLimits },
): Promise<CopyPlan | { tooMuch: { bytes: number; entries: number } }> {
  const whole = await walkAll(root, folder, options, true);
  const all = sizeOf(whole);
  if (fits(all, options.limits)) return { entries: whole, left: [] };
  const closed: string[] = [];
  const part = await walkAll(root, folder, options, false, closed);
  const less = sizeOf(part);
  if (!fits(less, options.limits)) return { tooMuch: less };
  return { entries: part, left: closed };
}

function fits(size: { bytes: number; entries: number }, limits: CopyLimits): boolean {
  return size.bytes <= limits.bytes && size.entries <= limits.entries;
}

function sizeOf(entries: ReadonlyMap<string, Walked>): { bytes: number; entries: number } {
  let bytes = 0;
  for (const { kind, size } of entries.values()) if (kind === 'file') bytes += size;
  return { bytes, entries: entries.size };
}

async function walkAll(
  root: string,
  folder: string,
  { isProtected, limits }: { isProtected: ProtectedCheck; limits: CopyLimits },
  entersIgnored: boolean,
  left: string[] = [],
): Promise<Map<string, Walked>> {
  const entries = new Map<string, Walked>();
  const pending = [''];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const prefix = at === '' ? '' : `${at}/`;
    const walk: RootWalk = await walkRoot(root, join(folder, at), {
      isProtected: (path, name) => isProtected(prefix + path, name),
      maxEntries: limits.entries + 1,
      entersIgnored,
    });
    for (const [path, entry] of walk.entries) {
      if (isCopied(entry, entersIgnored)) entries.set(prefix + path, entry);
    }
    for (const [path, why] of walk.closed)
      if (why === 'git-ignored') left.push(showRaw(prefix + path));
    for (const path of walk.repositories) {
      // A file of that name points to a repository elsewhere, which no program reaches. What lies
      // below a name that is not UTF-8 is not copied.
      if (!path.isWellFormed() || !isFolder(join(folder, prefix + path))) continue;
      entries.set(prefix + path, repository);
      pending.push(prefix + path);
    }
  }
  return entries;
}

/** A folder of which only the name matters. */
const repository: Walked = {
  ...{ kind: 'directory', mode: 0o755, size: 0, ino: 0, mtimeNs: '0', ctimeNs: '0' },
};

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isCopied({ kind, uncovered }: Walked, entersIgnored: boolean): boolean {
  if (kind === 'other' || uncovered === 'protected') return false;
  return uncovered === undefined || entersIgnored;
}

/** Copies what was planned into an empty folder, with permissions and times of change. */
export async function copyRoot(plan: CopyPlan, folder: string, to: string): Promise<void> {
  let count = 0;
  const folders: [string, Walked][] = [];
  for (const [path, entry] of plan.entries) {
    const [source, target] = [join(folder, path), join(to, path)];
    if (entry.kind === 'directory') {
      mkdirSync(target, { recursive: true });
      folders.push([target, entry]);
    } else if (entry.kind === 'link') {
      symlinkSync(readlinkSync(source, { encoding: 'buffer' }), target);
      setTimes(target, BigInt(entry.mtimeNs));
    } else {
      copyFileSync(source, target, howToCopy);
      chmodSync(target, entry.mode);
      setTimes(target, BigInt(entry.mtimeNs));
    }
    count += 1;
    if (count % filesPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  for (const [target, { mode }] of folders.reverse()) chmodSync(target, mode);
}
