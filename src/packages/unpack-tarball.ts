import { copyFileSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { extract, list } from 'tar';
import { KernelError } from '../contracts/error.ts';
import { hashFile } from '../lib/files/read-file.ts';
import type { LockedPackage } from '../lib/parts/part-lock.ts';
import { escapeLine } from '../lib/text/escape.ts';
import { isWhole } from './fetch-tarball.ts';

/** A link would be a way out of the folder; npm packs none. */
const plain = new Set(['File', 'OldFile', 'ContiguousFile']);

export type TarballRules = {
  /** for messages: the package, with its version */
  name: string;
  /** which files are wanted, by their paths below the package */
  keeps(path: string): boolean;
  /** of all files that are wanted */
  maxBytes: number;
};

export type Listed = { paths: string[]; bytes: number };

/**
 * Looks through a tarball before anything of it is written.
 *
 * @throws {KernelError} `plugin-fault` for an entry that is not a plain file or folder below one
 *   folder, or more bytes than `rules.maxBytes`
 */
export async function listTarball(tarball: string, rules: TarballRules): Promise<Listed> {
  const paths = new Set<string>();
  let bytes = 0;
  let fault: string | undefined;
  await list({
    file: tarball,
    strict: true,
    onReadEntry: ({ path, type, size }) => {
      const inside = pathInside(path);
      if (inside === undefined) fault ??= `${path} is outside of the package`;
      else if (type !== 'Directory') {
        if (!plain.has(type)) fault ??= `${path} is a ${type}`;
        if (paths.has(inside)) fault ??= `${path} is there twice`;
        if (!rules.keeps(inside)) return;
        paths.add(inside);
        bytes += size;
      }
    },
  }).catch((thrown: Error) => {
    fault ??= thrown.message;
  });
  if (bytes > rules.maxBytes) fault ??= `${bytes} bytes in it, limit ${rules.maxBytes}`;
  if (fault === undefined) return { paths: [...paths], bytes };
  throw new KernelError('plugin-fault', `the tarball of ${rules.name} is refused: ${fault}`, {
    hint: 'None of it was kept.',
  });
}

/**
 * Unpacks what is wanted of a tarball into a new folder. No script of the package runs.
 *
 * @returns path below the package -> SHA-256, hex
 * @throws as `listTarball`, and what the file system says
 */
export async function unpackTarball(
  tarball: string,
  folder: string,
  rules: TarballRules,
): Promise<Map<string, string>> {
  const { paths } = await listTarball(tarball, rules);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await extract({
    file: tarball,
    cwd: folder,
    strip: 1,
    strict: true,
    umask: 0o077,
    filter: (path) => paths.includes(pathInside(path) ?? ''),
  });
  const files = new Map<string, string>();
  for (const path of paths)
    files.set(path, (await hashFile(join(folder, path), 'sha256')).digest('hex'));
  return files;
}

/** @returns the path below the first folder; undefined for a path that could leave the package */
function pathInside(path: string): string | undefined {
  const [first = '', ...names] = path.replace(/\/$/, '').split('/');
  const all = [first, ...names];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no package needs them
  if (all.some((name) => name === '' || name === '..' || /[\\:\u0000-\u001f]/.test(name)))
    return undefined;
  return names.filter((name) => name !== '.').join('/');
}

/**
 * Copies the tarball of a package from what a person has.
 *
 * @param from folders with tarballs of the names that `npm pack` gives, or tarballs
 * @throws {KernelError} `not-found` if none of them has it, `plugin-fault` for other bytes
 */
export async function takeTarball(
  wanted: LockedPackage,
  path: string,
  from: readonly string[],
): Promise<void> {
  if (await isWhole(path, wanted)) return;
  const files = from.map((each) =>
    statSync(each, { throwIfNoEntry: false })?.isDirectory()
      ? join(each, tarballName(wanted))
      : each,
  );
  for (const file of files) {
    if (await isWhole(file, wanted)) return copyFileSync(file, path);
  }
  const named = files.find(
    (file) => file.endsWith(tarballName(wanted)) && statSync(file, { throwIfNoEntry: false }),
  );
  const { name, version } = wanted;
  if (named !== undefined) {
    const message = `${named} is not the ${name} ${version} that cuervo was tested with`;
    throw new KernelError('plugin-fault', message, { hint: 'None of it was kept.' });
  }
  throw new KernelError('not-found', `${tarballName(wanted)} is not in ${from.join(', ')}`, {
    hint: 'Where there is a network, bring all of them: cuervo add PART --download DIR',
  });
}

/** As `npm pack` names it: `@node-llama-cpp/linux-x64` -> `node-llama-cpp-linux-x64-3.21.1.tgz`. */
export function tarballName({ name, version }: { name: string; version: string }): string {
  return `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`;
}

/** Entries of one package; a plugin is one file with its page. */
const maxEntries = 5_000;

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
