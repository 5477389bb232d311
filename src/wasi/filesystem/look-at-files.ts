import { type BigIntStats, fstatSync } from 'node:fs';
import { flagOf } from '../guest-argument.ts';
import { failWith } from './error-code.ts';
import type { FileIdentities } from './file-identities.ts';
import type { FilesystemContext } from './filesystem-context.ts';
import { directoryOf, type Handle } from './handle.ts';
import type { PendingFile } from './pending-files.ts';
import { type Place, resolveAt } from './resolve-at.ts';

/** Work on a file on the disk, or on one that is still being written. */
export type Look<T> = {
  stats: (stats: BigIntStats) => T;
  file: (file: PendingFile) => T;
};

export function identifyBy(identities: FileIdentities): Look<string> {
  return { stats: identities.of, file: ({ identity }) => identity };
}

export type FileLooks = {
  /** of an open file or folder */
  lookInto<T>(handle: Handle, look: Look<T>): T;
  lookAtPath<T>(handle: Handle, flags: unknown, path: unknown, look: Look<T>): T;
};

export function createFileLooks({ journal, pending, reach }: FilesystemContext): FileLooks {
  function lookAt<T>(place: Place, follow: boolean, look: Look<T>): T {
    journal.noteLookup(place);
    const file = pending.find(place);
    return file === undefined ? look.stats(reach.look(place, follow).stats) : look.file(file);
  }

  function lookInto<T>(handle: Handle, look: Look<T>): T {
    if (handle.kind === 'directory') return lookAt(handle.place, true, look);
    if (handle.pending !== undefined) return look.file(handle.pending);
    if (handle.open === undefined) throw failWith('bad-descriptor');
    return look.stats(fstatSync(handle.open.fd(), { bigint: true }));
  }

  const lookAtPath = <T>(handle: Handle, flags: unknown, path: unknown, look: Look<T>): T => {
    const { mustBeDirectory, ...place } = resolveAt(directoryOf(handle), path);
    const follow = flagOf(flags, 'symlinkFollow');
    if (!mustBeDirectory) return lookAt(place, follow, look);
    const file = (): never => {
      throw failWith('not-directory');
    };
    const stats = (found: BigIntStats): T => (found.isDirectory() ? look.stats(found) : file());
    return lookAt(place, true, { stats, file });
  };

  return { lookInto, lookAtPath };
}
