import { renameSync } from 'node:fs';

/**
 * Swaps pairs of names for ever, each swap three renames, so that a name is at times a file,
 * at times a link, at times nothing.
 *
 * `node swap-links.ts NAME OTHER [NAME OTHER …]`
 */
const names = process.argv.slice(2);
process.stdout.write('ready\n');
for (;;) {
  for (let index = 0; index < names.length; index += 2) {
    const name = names[index] as string;
    const other = names[index + 1] as string;
    renameSync(name, `${name}.spare`);
    renameSync(other, name);
    renameSync(`${name}.spare`, other);
  }
}
