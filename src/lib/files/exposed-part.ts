import { readFileSync, type Stats } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { shellWord } from '../text/escape.ts';
import { lstatSync, readlinkSync } from './raw-fs.ts';

/** A part of a path that lets a user other than this one and root decide what lies there. */
export type ExposedPart = {
  path: string;
  /** the second half of a sentence */
  why: string;
  /** the command that closes it */
  fix: string;
};

/** Links that the system itself follows. */
const maxLinks = 40;
const othersWrite = 0o022;
const sticky = 0o1000;

/** Whether it belongs to a user other than this one and root. Windows knows no such numbers. */
export function isForeign({ uid }: Pick<Stats, 'uid'>, root = 0): boolean {
  const own = process.getuid?.();
  return own !== undefined && uid !== own && uid !== 0 && uid !== root;
}

/**
 * @param isWhole whether what lies below is to be closed with it
 * @param root the number that root's files show
 * @returns why others may change it, by its owner and its mode; undefined where they may not
 */
export function exposure(
  path: string,
  found: Stats,
  isWhole = false,
  root = 0,
): ExposedPart | undefined {
  if (process.getuid === undefined) return undefined;
  const word = isWhole ? `-R ${shellWord(path)}` : shellWord(path);
  if (isForeign(found, root)) {
    const fix = `sudo chown -h ${process.getuid()} ${word}`;
    return { path, why: `belongs to user ${found.uid}`, fix };
  }
  if (found.isSymbolicLink() || (found.mode & othersWrite) === 0) return undefined;
  const who = (found.mode & 0o002) === 0 ? `group ${found.gid}` : 'everybody';
  return { path, why: `can be written by ${who}`, fix: `chmod go-w ${word}` };
}

/**
 * The first part of the path that others may write or replace, the folder at its end and the links
 * on the way included. In a sticky folder such as `/tmp` users cannot replace each other's files. A
 * missing file is not exposed: its maker checks again.
 *
 * @param path absolute
 */
export function exposedPart(path: string): ExposedPart | undefined {
  let waiting = resolve(path).split(sep).filter(Boolean);
  let at: string = sep;
  let root = rootOwner();
  for (let links = 0; ; ) {
    const found = statIfThere(at);
    if (found === undefined) return undefined;
    const isEnd = waiting.length === 0;
    const isShared = !isEnd && (found.mode & sticky) !== 0 && !isForeign(found, root);
    const exposed = isShared ? undefined : exposure(at, found, isEnd, root);
    if (exposed !== undefined) return exposed;
    if (isShared || found.uid !== root) root = 0;
    if (found.isSymbolicLink()) {
      links += 1;
      if (links > maxLinks) return undefined;
      const target = resolve(at, '..', readlinkSync(at));
      waiting = [...target.split(sep).filter(Boolean), ...waiting];
      at = sep;
      root = rootOwner();
      continue;
    }
    const next = waiting.shift();
    if (next === undefined) return undefined;
    at = join(at, next);
  }
}

/**
 * The owner that root's files show. In a user namespace without root, as another sandbox makes it,
 * root and strangers show the same owner. There a folder counts as root's only if all folders above
 * it do, and nobody else can write them.
 */
function rootOwner(): number {
  try {
    const hasRoot = /^\s*0\s/m.test(readFileSync('/proc/self/uid_map', 'utf8'));
    return hasRoot ? 0 : Number(readFileSync('/proc/sys/kernel/overflowuid', 'utf8'));
  } catch {
    // Without /proc, as on macOS, there are no such namespaces.
    return 0;
  }
}

/** An unreadable part counts as missing: opening it later reports why. */
export function statIfThere(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
