import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Beside the files that it is about. */
const stampsFile = 'stamps.json';

/** name of a file -> its digest and what `stat` said of it when it was written */
type Stamps = Readonly<Record<string, { digest: string; stat: string }>>;

/**
 * Notes how the files of a prepared folder look from outside, so that somebody who only wants to
 * know whether they changed need not read them. Nothing is loaded by it.
 *
 * @param digests SHA-256 of each file as it is kept, hex, by its name
 */
export function writeStamps(folder: string, digests: Readonly<Record<string, string>>): void {
  const stamps: Stamps = Object.fromEntries(
    Object.entries(digests).map(([name, digest]) => [
      name,
      { digest, stat: statText(folder, name) },
    ]),
  );
  writeFileSync(join(folder, stampsFile), JSON.stringify(stamps), { mode: 0o600 });
}

/** @returns names of the files that look as they did when they had these digests */
export function unchangedFiles(
  folder: string,
  digests: Readonly<Record<string, string>>,
): ReadonlySet<string> {
  try {
    const stamps = JSON.parse(readFileSync(join(folder, stampsFile), 'utf8')) as Stamps;
    return new Set(
      Object.entries(digests)
        .filter(([name, digest]) => {
          const stamp = Object.hasOwn(stamps, name) ? stamps[name] : undefined;
          return stamp?.digest === digest && stamp.stat === statText(folder, name);
        })
        .map(([name]) => name),
    );
  } catch {
    // Then they are read.
    return new Set();
  }
}

function statText(folder: string, name: string): string {
  const { size, mtimeNs, ino } = statSync(join(folder, name), { bigint: true });
  return [size, mtimeNs, ino].join(' ');
}
