import { bytesOf, lengthOf } from '../guest-argument.ts';
import { wasiLimits } from '../wasi-limits.ts';
import { createDirectoryAt, renameAt, unlinkFileAt } from './change-at.ts';
import { metadataHash, statOf, statOfPending } from './describe-file.ts';
import { failWith } from './error-code.ts';
import type { FileIdentities } from './file-identities.ts';
import type { FileStreams } from './file-streams.ts';
import type { FilesystemContext } from './filesystem-context.ts';
import { directoryOf, type Handle, readableOf, readFrom, writableOf } from './handle.ts';
import { type DirectoryEntry, listDirectory } from './list-directory.ts';
import { type FileLooks, identifyBy } from './look-at-files.ts';
import { openAt } from './open-at.ts';
import { resolveAt } from './resolve-at.ts';

/** A method of `descriptor`, given the state of the descriptor that it is called on. */
export type Run = (handle: Handle, ...args: unknown[]) => unknown;

/** The methods of `descriptor` that fail with an error code of the file system. */
export function createDescriptorMethods(
  context: FilesystemContext,
  parts: {
    looks: FileLooks;
    streams: FileStreams;
    identities: FileIdentities;
    makeEntries(entries: DirectoryEntry[]): object;
    makeDescriptor(handle: Handle): object;
    handleOf(value: unknown): Handle;
  },
): Record<string, Run> {
  const { ports, journal, reach } = context;
  const { makeEntries, makeDescriptor, handleOf } = parts;
  const { lookInto, lookAtPath } = parts.looks;
  const { readVia, writeVia, writeTo, changed, sync } = parts.streams;
  const describe = { stats: statOf, file: statOfPending };
  const identify = identifyBy(parts.identities);
  const unsupported = (): never => {
    throw failWith('unsupported');
  };
  const refused = (): never => {
    throw failWith('not-permitted');
  };

  return {
    readViaStream: readVia,
    writeViaStream: (handle, offset) => writeVia(handle, lengthOf(offset, Number.MAX_SAFE_INTEGER)),
    appendViaStream: (handle) => writeVia(handle, undefined),
    advise: () => undefined,
    syncData: sync,
    sync,
    getFlags: (handle) =>
      handle.kind === 'file'
        ? { read: handle.canRead, write: handle.canWrite, ...handle.syncFlags }
        : { read: true, mutateDirectory: ports.allows('fs-write', 'fs-write.write-bytes') },
    getType: (handle) => (handle.kind === 'file' ? 'regular-file' : 'directory'),
    setSize: (handle, size) => {
      // In the system's words for a file that is open for reading.
      if (handle.kind === 'file' && !handle.canWrite) throw failWith('invalid');
      const file = writableOf(handle);
      file.bytes.setSize(lengthOf(size, Number.MAX_SAFE_INTEGER));
      changed(handle, file);
    },
    setTimes: unsupported,
    setTimesAt: unsupported,
    linkAt: refused,
    symlinkAt: refused,
    read: (handle, length, offset) => {
      const wanted = lengthOf(length, wasiLimits.readBytes);
      const at = lengthOf(offset, Number.MAX_SAFE_INTEGER);
      const bytes = readFrom(readableOf(handle), at, wanted);
      return [bytes, bytes.length === 0 && wanted > 0];
    },
    write: (handle, bytes, offset) => {
      const given = bytesOf(bytes);
      writeTo(handle, lengthOf(offset, Number.MAX_SAFE_INTEGER), given);
      return BigInt(given.length);
    },
    readDirectory: (handle) => makeEntries(listDirectory(context, handle)),
    openAt: (handle, pathFlags, path, openFlags, flags) =>
      makeDescriptor(openAt(context, handle, pathFlags, path, openFlags, flags)),
    createDirectoryAt: (handle, path) => createDirectoryAt(context, handle, path),
    unlinkFileAt: (handle, path) => unlinkFileAt(context, handle, path),
    renameAt: (handle, oldPath, to, newPath) =>
      renameAt(context, handle, oldPath, handleOf(to), newPath),
    stat: (handle) => lookInto(handle, describe),
    statAt: (handle, flags, path) => lookAtPath(handle, flags, path, describe),
    metadataHash: (handle) => metadataHash(lookInto(handle, identify)),
    metadataHashAt: (handle, flags, path) =>
      metadataHash(lookAtPath(handle, flags, path, identify)),
    readlinkAt: (handle, path) => {
      const place = resolveAt(directoryOf(handle), path);
      journal.noteLookup(place);
      return reach.readLink(place);
    },
  };
}
