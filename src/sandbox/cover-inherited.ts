import type { IOType } from 'node:child_process';
import { constants, openSync, readdirSync, readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { once } from '../lib/memo.ts';
import { largest } from '../lib/numbers.ts';

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
    // It was closed meanwhile, as the one that listed the folder is.
    return false;
  }
}
