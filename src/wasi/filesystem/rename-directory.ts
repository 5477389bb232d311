import { isUnwritablePath } from '../../contracts/protected-names.ts';
import { readDirectory } from '../../fs/read-directory.ts';
import { HostFailure } from '../../paths/host-failure.ts';
import { wasiLimits } from '../wasi-limits.ts';
import { typeOf } from './describe-file.ts';
import { failWith, LimitReached } from './error-code.ts';
import type { FilesystemContext } from './filesystem-context.ts';
import { lookOrMissing } from './open-at.ts';
import { type Place, pathOf } from './resolve-at.ts';

type Entry = { segments: readonly string[]; isDirectory: boolean };

/**
 * Renames a directory: its files are renamed one by one, so that each can be undone like any other,
 * and directories are made there and removed here. Things that cannot be renamed are found before
 * the first rename, except names that no path can express; these, and a later failure, leave some
 * parts in each place.
 *
 * @param to where nothing is, or an empty directory
 */
export function renameDirectory(context: FilesystemContext, from: Place, to: Place): void {
  const { ports, pending } = context;
  if (isWithin(to, from)) throw failWith('invalid');
  const isThere = isEmptyDirectory(context, to);
  const entries = listAll(context, from);
  const at = (place: Place, { segments }: Entry): Place => ({
    root: place.root,
    segments: [...place.segments, ...segments],
  });
  for (const entry of [{ segments: [], isDirectory: true }, ...entries]) {
    refuseProtected(context, at(from, entry));
    refuseProtected(context, at(to, entry));
  }
  if (!isThere) ports.askKernel('fs-write.create-dir', [pathOf(to)]);
  for (const entry of entries) {
    const [source, target] = [at(from, entry), at(to, entry)];
    if (entry.isDirectory) ports.askKernel('fs-write.create-dir', [pathOf(target)]);
    else {
      ports.askKernel('fs-write.rename', [pathOf(source), pathOf(target)]);
      const file = pending.find(source);
      if (file !== undefined) pending.move(file, target);
    }
  }
  const directories = entries.filter(({ isDirectory }) => isDirectory).reverse();
  for (const entry of directories) ports.askKernel('fs-write.remove', [pathOf(at(from, entry))]);
  ports.askKernel('fs-write.remove', [pathOf(from)]);
}

function isWithin(inner: Place, outer: Place): boolean {
  return outer.segments.every((segment, index) => inner.segments[index] === segment);
}

/** False where nothing is; a directory that holds something, or a file, is in the way. */
function isEmptyDirectory({ reach }: FilesystemContext, place: Place): boolean {
  const found = lookOrMissing(() => reach.look(place, false));
  if (found === undefined) return false;
  if (!found.stats.isDirectory()) throw failWith('not-directory');
  using directory = reach.open(place);
  if (readDirectory(directory.fd, 1).entries.length > 0) throw failWith('not-empty');
  return true;
}

/** Everything below a directory, each directory before what it holds. */
function listAll({ reach }: FilesystemContext, from: Place): Entry[] {
  const all: Entry[] = [];
  const visit = (above: readonly string[]): void => {
    using directory = reach.open({ root: from.root, segments: [...from.segments, ...above] });
    const { entries, truncated } = readDirectory(directory.fd, wasiLimits.renamedEntries);
    if (truncated || all.length + entries.length > wasiLimits.renamedEntries) {
      const text = `a directory of more than ${wasiLimits.renamedEntries} entries that is renamed`;
      throw new LimitReached('quota', text);
    }
    for (const entry of entries) {
      const type = typeOf(entry);
      const segments = [...above, entry.name];
      if (type !== 'regular-file' && type !== 'directory') throw failWith('unsupported');
      all.push({ segments, isDirectory: type === 'directory' });
      if (type === 'directory') visit(segments);
    }
  };
  visit([]);
  return all;
}

function refuseProtected({ reach }: FilesystemContext, place: Place): void {
  if (!reach.isWithheld(place) && !isUnwritablePath(place.segments.join('/'))) return;
  throw new HostFailure('denied', `path ${JSON.stringify(pathOf(place))} is a protected file`);
}
