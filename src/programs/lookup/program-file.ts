import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename } from 'node:path';
import { isExecutable } from '../../lib/files/read-file.ts';
import { keepsTimes } from '../../lib/files/times.ts';
import { ProgramRefused } from '../exec/find-program.ts';

/** Hashing a larger program takes too long. */
const maxProgramBytes = 256 * 1024 * 1024;

/**
 * Where an executable file really lies.
 *
 * @param shown how the program is called in a message
 * @returns undefined where there is no such file, or none that may be run
 * @throws {ProgramRefused} `denied` for links in a circle and for one that leads nowhere
 */
export function realProgram(path: string, shown: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isFile() && isExecutable(real) ? real : undefined;
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ELOOP')
      throw new ProgramRefused('denied', `${shown} is a link that leads in a circle`);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return undefined;
    throw thrown;
  }
}

const digests = new Map<string, { of: string; sha256: string }>();

/**
 * SHA-256 of a program, hex. A file of a local disk that was read before and did not change since is
 * not read again: its time of change cannot be set back by a program.
 */
export function programDigest(real: string): string {
  const stats = statSync(real);
  if (stats.size > maxProgramBytes) {
    const text = `program "${basename(real)}" has ${stats.size} bytes, limit ${maxProgramBytes}`;
    throw new ProgramRefused('denied', text);
  }
  const of = identity(stats);
  const known = digests.get(real);
  if (known?.of === of && keepsTimes(real, stats)) return known.sha256;
  const sha256 = createHash('sha256').update(readFileSync(real)).digest('hex');
  digests.set(real, { of, sha256 });
  return sha256;
}

function identity({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
}
