import { isUnwritablePath } from '../../contracts/protected-names.ts';
import { readDirectory } from '../../fs/list-directory.ts';
import { HostFailure } from '../../paths/system-failure.ts';
import { wasiLimits } from '../gate-ports.ts';
import { typeOf } from './describe-file.ts';
import { failWith, LimitReached } from './error-code.ts';
import type { FilesystemContext } from './filesystem-context.ts';
import { lookOrMissing, readWhole } from './open-at.ts';
import { directoryOf, type Handle } from './open-files.ts';
import { type Place, pathOf, resolveAt } from './reach-place.ts';

type Entry = { segments: readonly string[]; isDirectory: boolean };

/**
 * Renames a directory: its files are renamed one by one, so that each can be undone like any other,
 * and directories are made there and removed here. Things that cannot be renamed are found before
 * the first rename, except names that no path can express; these, and a later failure, leave some
 * parts in each place.
 *
 * @param to where nothing is, or an empty directory
 */
function renameDirectory(context: FilesystemContext, from: Place, to: Place): void {
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

export function createDirectoryAt(context: FilesystemContext, from: Handle, path: unknown): void {
  const { ports, reach, pending } = context;
  const place = resolveAt(directoryOf(from), path);
  ports.admit('fs-write', 'fs-write.create-dir');
  context.journal.noteLookup(place);
  const there = pending.find(place) ?? lookOrMissing(() => reach.look(place, false));
  if (there !== undefined) throw failWith('exist');
  // The kernel would make the directories above it, too.
  const parent = reach.look({ ...place, segments: place.segments.slice(0, -1) }, true);
  if (!parent.stats.isDirectory()) throw failWith('not-directory');
  ports.askKernel('fs-write.create-dir', [pathOf(place)]);
}

export function unlinkFileAt(context: FilesystemContext, from: Handle, path: unknown): void {
  const { ports, reach, pending } = context;
  const { mustBeDirectory, ...place } = resolveAt(directoryOf(from), path);
  ports.admit('fs-write', 'fs-write.remove');
  context.journal.noteLookup(place);
  const file = pending.find(place);
  const found = lookOrMissing(() => reach.look(place, false));
  if (file === undefined && found === undefined) throw failWith('no-entry');
  if (found?.stats.isDirectory()) throw failWith('is-directory');
  if (mustBeDirectory) throw failWith('not-directory');
  if (found !== undefined) ports.askKernel('fs-write.remove', [pathOf(place)]);
  if (file !== undefined) pending.detach(file);
}

export function removeDirectoryAt(context: FilesystemContext, from: Handle, path: unknown): void {
  const { ports, reach, pending } = context;
  const place = resolveAt(directoryOf(from), path);
  ports.admit('fs-write', 'fs-write.remove');
  context.journal.noteLookup(place);
  pending.saveAll();
  if (!reach.look(place, false).stats.isDirectory()) throw failWith('not-directory');
  ports.askKernel('fs-write.remove', [pathOf(place)]);
}

/** `descriptor.rename-at`, within one root. */
export function renameAt(
  context: FilesystemContext,
  from: Handle,
  oldPath: unknown,
  to: Handle,
  newPath: unknown,
): void {
  const { ports, reach, pending } = context;
  const source = resolveAt(directoryOf(from), oldPath);
  const target = resolveAt(directoryOf(to), newPath);
  if (source.root !== target.root) throw failWith('cross-device');
  ports.admit('fs-write', 'fs-write.rename');
  context.journal.noteLookup(source);
  context.journal.noteLookup(target);
  pending.saveAll();
  const { stats } = reach.look(source, false);
  if (pathOf(source) === pathOf(target)) return;
  if (stats.isDirectory()) {
    renameDirectory(context, source, target);
    return;
  }
  if (source.mustBeDirectory || target.mustBeDirectory) throw failWith('not-directory');
  const there = lookOrMissing(() => reach.look(target, false));
  if (there?.stats.isDirectory()) throw failWith('is-directory');
  if (there === undefined) {
    ports.askKernel('fs-write.rename', [pathOf(source), pathOf(target)]);
    const file = pending.find(source);
    if (file !== undefined) pending.move(file, { root: target.root, segments: target.segments });
  } else replace(context, source, target);
}

/**
 * The kernel renames onto free names only, but programs save by renaming a new file over the old
 * one: the target gets the bytes of the source in one step, and the source is removed. An open
 * descriptor of either then has a file that is gone.
 */
function replace(context: FilesystemContext, source: Place, target: Place): void {
  const { ports, pending } = context;
  const bytes = readWhole(context, source);
  ports.askKernel('fs-write.write-bytes', [pathOf(target), bytes]);
  ports.askKernel('fs-write.remove', [pathOf(source)]);
  for (const place of [source, target]) {
    const file = pending.find(place);
    if (file !== undefined) pending.detach(file);
  }
}
