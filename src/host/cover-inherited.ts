import type { IOType } from 'node:child_process';
import { constants, openSync, readdirSync, readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { once } from '../lib/once.ts';

/** O_CLOEXEC as Linux prints it in `/proc/self/fdinfo`. */
const closesOnExec = 0o2000000;

/** One entry of the `stdio` of `spawn`. */
type Descriptor = IOType | number;

/**
 * What a process is given as its descriptors, and behind it nothing in the place of what a
 * careless parent of cuervo left open: an open folder would be a way out of every sandbox,
 * and bubblewrap hands on what it inherits.
 */
export function coverInherited(given: readonly Descriptor[]): Descriptor[] {
  const covered = [...given];
  // `ignore` closes nothing from descriptor 3 on: what is inherited there stays.
  while (covered.length <= highestInherited()) covered.push(emptiness());
  return covered;
}

/** Stays open as long as cuervo runs. */
const emptiness = once((): number => openSync(devNull, constants.O_RDWR));

/**
 * The highest descriptor that cuervo itself was started with and would hand on, at least 2. Node
 * closes its own; of others only those below the first number that is free.
 */
const highestInherited = once((): number => {
  let highest = 2;
  try {
    for (const name of readdirSync('/proc/self/fd')) {
      const number = Number(name);
      if (number > highest && isInherited(number)) highest = number;
    }
  } catch {
    // Without /proc there is nothing to look at.
  }
  return highest;
});

function isInherited(descriptor: number): boolean {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8');
    const flags = Number.parseInt(/^flags:\s*(\d+)/m.exec(info)?.[1] ?? '0', 8);
    return (flags & closesOnExec) === 0;
  } catch {
    // It was closed meanwhile, as the one that listed the folder is.
    return false;
  }
}
