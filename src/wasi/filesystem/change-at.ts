import { failWith } from './error-code.ts';
import type { FilesystemContext } from './filesystem-context.ts';
import { directoryOf, type Handle } from './handle.ts';
import { lookOrMissing, readWhole } from './open-at.ts';
import { renameDirectory } from './rename-directory.ts';
import { type Place, pathOf, resolveAt } from './resolve-at.ts';

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
