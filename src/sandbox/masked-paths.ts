import type { IOType } from 'node:child_process';
import { constants, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { createContentGate, type ProtectedEntries } from '../contracts/content-gate.ts';
import { namesIn } from '../lib/files/folders.ts';
import { lstatSync } from '../lib/files/raw-fs.ts';
import { once } from '../lib/memo.ts';
import { largest } from '../lib/numbers.ts';

const othersRead = 0o004;

/**
 * The `/proc` of a sandbox, closed to writing. The kernel guards much of it by the user number
 * alone, which inside is that of outside: without this a process of root could change settings of
 * the whole machine. Files that only root may read are covered.
 *
 * @returns options of bubblewrap
 */
export const procMounts = once((): readonly string[] => [
  ...['--proc', '/proc'],
  ...(process.geteuid?.() === 0 ? filesOfRoot('/proc') : []).flatMap((path) => [
    // A device does not open through such a mount.
    ...['--ro-bind', '/dev/null', path],
  ]),
  ...['--remount-ro', '/proc'],
]);

/** Files of the kernel itself that others may not read; those of processes lie in their folders. */
function filesOfRoot(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(folder, name))
    .filter((path) => (statSync(path).mode & othersRead) === 0);
}

/** O_CLOEXEC as Linux prints it in `/proc/self/fdinfo`. */
const closesOnExec = 0o2000000;

/** One entry of the `stdio` of `spawn`. */
type Descriptor = IOType | number;

/**
 * The descriptors of a process, followed by closed ones in the place of those that cuervo's own
 * parent left open. An open folder would be a way out of every sandbox, and bubblewrap passes on
 * what it inherits.
 */
export function coverInherited(given: readonly Descriptor[]): Descriptor[] {
  const covered = [...given];
  const highest = largest(inherited());
  // `ignore` closes nothing from descriptor 3 on, which is enough where nothing is inherited: a
  // terminal or an editor leaves one at 250 and so, and to cover all below it would slow each start.
  for (let number = covered.length; number <= highest; number += 1) {
    covered.push(inherited().has(number) ? emptiness() : 'ignore');
  }
  return covered;
}

/** Stays open as long as cuervo runs. */
const emptiness = once((): number => openSync(devNull, constants.O_RDWR));

/**
 * The descriptors above 2 that cuervo itself was started with and would hand on. Node closes its own;
 * of others only those below the first number that is free.
 */
const inherited = once((): ReadonlySet<number> => {
  try {
    const open = readdirSync('/proc/self/fd').map(Number);
    return new Set(open.filter((number) => number > 2 && isInherited(number)));
  } catch {
    // Without /proc there is nothing to look at.
    return new Set();
  }
});

function isInherited(descriptor: number): boolean {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8');
    const flags = Number.parseInt(/^flags:\s*(\d+)/m.exec(info)?.[1] ?? '0', 8);
    return (flags & closesOnExec) === 0;
  } catch {
    // The descriptor was closed meanwhile, as the one that listed the folder.
    return false;
  }
}

/** A folder with more matches holds keys by the hundred; our own code withholds the rest. */
const maxMasks = 64;

/** A path below a root that is covered by something empty. */
export type Mask = { path: string; kind: 'file' | 'folder' };

/**
 * The paths of a root that are covered, so that not even native code of a plugin process reads
 * them: withheld paths, protected names at the top of the root, and hooks, configuration and
 * content of its `.git`. Our own code withholds deeper ones: finding them would take a walk of the
 * whole tree at each start.
 *
 * @param folder absolute directory of the root
 * @returns existing paths relative to the root that are not links
 */
export function maskedPaths(root: string, folder: string, withheld: ProtectedEntries): Mask[] {
  const gate = createContentGate(withheld);
  const named = (withheld[root] ?? []).filter((entry) => !entry.startsWith(':'));
  const ofGit = namesIn(join(folder, '.git')).map((name) => `.git/${name}`);
  const candidates = new Set([...named, ...ofGit, ...namesIn(folder)]);
  const masks: Mask[] = [];
  for (const path of candidates) {
    if (gate.shows({ root, path }, { roots: [root] })) continue;
    const kind = kindBelow(folder, path.split('/'));
    if (kind !== undefined) masks.push({ path, kind });
    if (masks.length === maxMasks) break;
  }
  return masks;
}

/** Undefined for what is missing, is a link, or passes one: nothing can be put over it. */
function kindBelow(folder: string, segments: readonly string[]): Mask['kind'] | undefined {
  let location = folder;
  let kind: Mask['kind'] | undefined;
  try {
    for (const segment of segments) {
      location = join(location, segment);
      const stats = lstatSync(location);
      kind = stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : undefined;
      if (kind === undefined) return undefined;
    }
  } catch {
    return undefined;
  }
  return kind;
}
