import { readDirectory } from '../../fs/read-directory.ts';
import { wasiLimits } from '../wasi-limits.ts';
import { typeOf } from './describe-file.ts';
import { failWith, LimitReached } from './error-code.ts';
import type { FilesystemContext } from './filesystem-context.ts';
import { directoryOf, type Handle } from './handle.ts';

export type DirectoryEntry = { type: string; name: string };

/** The names of a folder that a program may see. One that is not UTF-8 has halves of surrogate pairs. */
export function listDirectory(
  { journal, pending, reach }: FilesystemContext,
  handle: Handle,
): DirectoryEntry[] {
  const place = directoryOf(handle);
  journal.note('fs.list-dir', place);
  pending.saveAll();
  using directory = reach.open(place);
  if (!directory.stats.isDirectory()) throw failWith('not-directory');
  const listing = readDirectory(directory.fd, wasiLimits.directoryEntries);
  if (listing.truncated) {
    const text = `a directory of more than ${wasiLimits.directoryEntries} entries`;
    throw new LimitReached('quota', text);
  }
  // A program that looks at all it is shown should not stumble over what it may not see.
  const { root } = place;
  const named = listing.unnamed.filter(({ name }) => !name.isWellFormed());
  const shown = [...listing.entries, ...named].filter(
    ({ name }) => !reach.isWithheld({ root, segments: [...directory.resolved, name] }),
  );
  return shown.map((entry) => ({ type: typeOf(entry), name: entry.name }));
}
