import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { once } from '../lib/memo.ts';

/**
 * Node's own ways around its permission model, for every process that reads or runs what strangers
 * wrote. SQLite opens files by itself, the signal opens the debugger, and modules are looked for in
 * folders of the user where the program has none of that name.
 */
export const closedFlags: readonly string[] = [
  '--disable-sigusr1',
  '--no-experimental-sqlite',
  '--no-experimental-webstorage',
  '--no-experimental-websocket',
  '--no-experimental-global-navigator',
  '--no-addons',
  '--no-global-search-paths',
];

/** The same for a process that loads native code. */
export const closedFlagsOfNative: readonly string[] = closedFlags.filter(
  (flag) => flag !== '--no-addons',
);

/** The program that closes what no flag does. */
export const lockDownFile = once(() => findLockDown('lock-down.cjs'));

/** The same for a process that runs a model, which loads more of Node. */
export const lockDownOfNative = once(() => findLockDown('lock-down-models.cjs'));

/** In the sources beside this file; in the program beside the bundles or a folder above. */
function findLockDown(name: string): string {
  const here = import.meta.dirname;
  const places = [here, dirname(here)];
  const found = places.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${name} is missing beside ${here}`);
  return found;
}

/**
 * Smaller heaps and no helper threads: a plugin process is one of many and mostly waits.
 * Without inlining each function of a component does without a vector of feedback, which only the
 * compiler that is left out would read: a tenth of the instructions of a short call.
 * The hash seed of Node's own snapshot is kept: to choose another and hash all names in it again is
 * a fifth of the start. Who chooses names so that they collide slows down his own process, which
 * ends at its deadline.
 * The compilers for JavaScript are put off until a function has been called some thousand times.
 * The middle one is 3 MB of pages, which a few calls must not read. The last one compiles on the one
 * thread there is, up to 10 ms a function: in a search of 13,000 files that is more than its code
 * gains, as most of the time goes into the system. Who computes has both back (see `expectWork()`).
 * A regular expression that is tried in too many ways is matched in linear time instead.
 * Code from strings is never needed, so it is off. A function of a component is checked when it is
 * first compiled: all of it was checked when it was installed, and these are the same bytes.
 */
export const engineFlags: readonly string[] = [
  '--liftoff-only',
  '--no-wasm-inlining',
  '--no-wasm-inlining-call-indirect',
  '--wasm-lazy-validation',
  '--optimize-for-size',
  '--max-semi-space-size=1',
  '--single-threaded',
  '--no-rehash-snapshot',
  '--enable-experimental-regexp-engine',
  '--enable-experimental-regexp-engine-on-excessive-backtracks',
  '--invocation-count-for-maglev=6000',
  '--invocation-count-for-maglev-osr=20000',
  '--invocation-count-for-turbofan=50000',
  '--max-old-space-size=256',
  '--stack-size=900',
  '--disallow-code-generation-from-strings',
  '--no-warnings',
];

/** Node's permission model: the process reads these files, and what is below its descriptors. */
export function permissionFlags(program: readonly string[], roots: number): string[] {
  const own = program.map((file) => `--allow-fs-read=${file}`);
  return ['--permission', ...closedFlags, ...own, ...descriptorFlags(roots)];
}

/**
 * Reading below descriptors: the roots, and the directories that are opened on the way down.
 *
 * `/proc/self/fd/*` would be shorter and a hole. The permission model compares texts, takes
 * `/proc/self/fd/5/../x` for something below `/proc/self/fd`, and the system opens what lies
 * beside the root, and so on up to the root of all. What is left with a digit in front is a
 * neighbour of a root whose name begins with one; the number whole and `/*` behind it does not
 * do, because the model then loses `5` where there is a `50`. In the sandbox of the operating
 * system a root has no neighbours but the other granted ones, which closes it.
 */
function descriptorFlags(roots: number): string[] {
  if (roots === 0) return [];
  return Array.from('123456789', (digit) => `--allow-fs-read=/proc/self/fd/${digit}*`);
}
