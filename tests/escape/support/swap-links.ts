import { renameSync } from 'node:fs';

/**
 * Swaps pairs of names for ever, each swap three renames, so that a name is at times a file,
 * at times a link, at times nothing. Half of the time it rests between swaps, so that what it races
 * against often meets one side for long enough.
 *
 * `node swap-links.ts NAME OTHER [NAME OTHER …]`
 */
const names = process.argv.slice(2);
const nobody = new Int32Array(new SharedArrayBuffer(4));
/** Milliseconds of swapping without a rest, then of swapping with rests. */
const phase = 50;
const longestRest = 8;

function swap(name: string, other: string): void {
  renameSync(name, `${name}.spare`);
  renameSync(other, name);
  renameSync(`${name}.spare`, other);
}

process.stdout.write('ready\n');
for (;;) {
  for (let index = 0; index < names.length; index += 2)
    swap(names[index] as string, names[index + 1] as string);
  if (Math.floor(performance.now() / phase) % 2 === 1)
    Atomics.wait(nobody, 0, 0, Math.random() * longestRest);
}
