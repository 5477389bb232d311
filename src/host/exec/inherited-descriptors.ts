import { readdirSync, readFileSync } from 'node:fs';
import { once } from '../../lib/once.ts';

/** O_CLOEXEC as Linux prints it in `/proc/self/fdinfo`. */
const closesOnExec = 0o2000000;

/**
 * The highest descriptor that cuervo itself was started with and would hand on, at least 2. Node
 * closes its own; those of a careless parent it passes on, and an open folder among them would
 * be a way out of every sandbox.
 */
export const highestInherited = once((): number => {
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
