import { gunzipSync } from 'node:zlib';
import { list } from 'tar';
import { KernelError } from '../../contracts/error.ts';
import { escapeLine } from '../../lib/text/escape.ts';
import { pathInside } from '../unpack-tarball.ts';

/** Entries of one package; a plugin is one file with its page. */
const maxEntries = 5_000;
const plain = new Set(['File', 'OldFile', 'ContiguousFile']);

/** path below the package -> content */
export type TarballFiles = Map<string, Buffer>;

/**
 * Reads a package in memory. Nothing of it is written, so no entry leads anywhere; one that would
 * (a link, an absolute path, `..`) is refused anyway, because its author meant harm.
 *
 * @param what for messages
 * @param maxBytes of all files together, unpacked
 * @throws {KernelError} `plugin-fault`, or `resource-exhausted` for more bytes than that
 */
export function readTarball(
  packed: Uint8Array,
  { what, maxBytes }: { what: string; maxBytes: number },
): TarballFiles {
  const bytes = unzip(packed, what, maxBytes);
  const files: TarballFiles = new Map();
  let count = 0;
  let fault: string | undefined;
  const parser = list({
    strict: true,
    // This bounds entries with long names, too.
    maxMetaEntrySize: 64 * 1024,
    onReadEntry: (entry) => {
      const { path, type } = entry;
      count += 1;
      const inside = pathInside(path);
      if (count > maxEntries) fault ??= `it has more than ${maxEntries} entries`;
      if (/\p{Cc}/u.test(path)) fault ??= `the name ${shown(path)} has control characters`;
      if (inside === undefined) fault ??= `${shown(path)} is outside of the package`;
      else if (type !== 'Directory' && !plain.has(type)) fault ??= `${shown(path)} is a ${type}`;
      else if (files.has(inside)) fault ??= `${shown(path)} is there twice`;
      if (fault !== undefined || inside === undefined || type === 'Directory') {
        return void entry.resume();
      }
      const pieces: Buffer[] = [];
      files.set(inside, Buffer.alloc(0));
      entry.on('data', (piece: Buffer) => pieces.push(piece));
      entry.on('end', () => files.set(inside, Buffer.concat(pieces)));
    },
  }) as unknown as {
    on(event: 'error', then: (error: Error) => void): void;
    end(all: Buffer): void;
  };
  parser.on('error', (error) => {
    fault ??= `it is not a tarball (${escapeLine(error.message).slice(0, 100)})`;
  });
  try {
    parser.end(bytes);
  } catch (thrown) {
    fault ??= `it is not a tarball (${escapeLine(thrown instanceof Error ? thrown.message : '')})`;
  }
  if (files.size === 0) fault ??= 'it holds no file';
  if (fault === undefined) return files;
  throw new KernelError('plugin-fault', `${what} is refused: ${fault}`, {
    hint: 'None of it was kept.',
  });
}

function unzip(packed: Uint8Array, what: string, maxBytes: number): Buffer {
  try {
    // Add room for headers and padding of the tarball.
    return gunzipSync(packed, { maxOutputLength: maxBytes + maxEntries * 1024 });
  } catch (thrown) {
    const { code } = thrown as { code?: string };
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      const message = `${what} is refused: it unpacks to more than ${maxBytes} bytes`;
      throw new KernelError('resource-exhausted', message, { hint: 'None of it was kept.' });
    }
    const isGzip = packed[0] === 0x1f && packed[1] === 0x8b;
    const reason = isGzip ? 'it is cut off or damaged' : 'it is not packed with gzip';
    throw new KernelError('plugin-fault', `${what} is refused: ${reason}`, {
      cause: thrown,
      hint: 'None of it was kept.',
    });
  }
}

function shown(path: string): string {
  return escapeLine(path.length > 100 ? `${path.slice(0, 100)}…` : path);
}
