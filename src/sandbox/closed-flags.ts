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
