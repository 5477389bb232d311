import { join } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import {
  type ExposedPart,
  exposedPart,
  exposure,
  isForeign,
  statIfThere,
} from '../lib/files/exposed-part.ts';
import { isBelow, realPath } from '../lib/files/paths.ts';
import { entriesIn, showRaw } from '../lib/files/raw-fs.ts';
import { shellWord } from '../lib/text/escape.ts';

/**
 * Checks that only this user and root can change `CUERVO_HOME`: the folders on the way, the folder
 * itself, and files that were left in it.
 *
 * @throws {KernelError} `invalid-argument`, with the command that closes it
 */
export function checkHome(home: string): void {
  const real = realPath(home);
  if (!real.isWellFormed()) {
    const text = `the home ${home} leads to ${showRaw(real)}, which is not UTF-8`;
    throw new KernelError('invalid-argument', text, {
      hint: 'Use another folder: CUERVO_HOME=DIR cuervo …',
    });
  }
  const exposed = exposedHome(home);
  if (exposed === undefined) return;
  const { path, why, fix } = exposed;
  const reason = path === home ? '' : `, and ${path} decides what cuervo does`;
  const other = 'use another folder: CUERVO_HOME=DIR cuervo …';
  // With `sudo cuervo` the home is still the user's; root must not become its owner.
  const owner = isBelow(home, path) ? statIfThere(path) : undefined;
  const isTheirs = owner !== undefined && isForeign(owner);
  throw new KernelError(
    'invalid-argument',
    `the home ${home} is not safe: ${path} ${why}${reason}`,
    {
      hint: isTheirs
        ? `Run cuervo as user ${owner.uid}${process.getuid?.() === 0 ? ', without sudo,' : ','} or ${other}`
        : `If nobody else left anything in it: ${fix}. Otherwise ${other}`,
    },
  );
}

/** @param home absolute */
export function exposedHome(home: string): ExposedPart | undefined {
  return exposedPart(home) ?? exposedFile(home);
}

function exposedFile(home: string): ExposedPart | undefined {
  const folder = statIfThere(home);
  // Opening reports a path that is not a folder.
  if (folder === undefined || !folder.isDirectory()) return undefined;
  // In a folder closed to others, rights say nothing; owners still show who left files before.
  const isClosed = (folder.mode & 0o077) === 0;
  const names = namesIn(home);
  if (names === undefined)
    return { path: home, why: 'cannot be listed', fix: `chmod u+rx ${shellWord(home)}` };
  for (const name of names) {
    const path = join(home, name);
    const found = statIfThere(path);
    if (found === undefined) continue;
    if (!isForeign(found) && isClosed) continue;
    const exposed = exposure(path, found);
    if (exposed !== undefined) return exposed;
  }
  return undefined;
}

function namesIn(home: string): string[] | undefined {
  try {
    return entriesIn(home)
      .map(({ name }) => name)
      .sort();
  } catch {
    return undefined;
  }
}
