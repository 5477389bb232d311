import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import { unknownPlugin } from '../../contracts/plugins.ts';
import { makeFolder } from '../../lib/files/folders.ts';
import { changeAlone, makeHeldFolder } from '../../lib/files/lock-file.ts';
import { readTextIfPresent } from '../../lib/files/read-file.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import { rememberLast } from '../../lib/memo.ts';
import { sha256 } from '../../lib/sha256.ts';
import { shellWord } from '../../lib/text/escape.ts';
import { keepPrepared } from './kept-prepared.ts';
import {
  packedEnding,
  packFiles,
  unchangedFiles,
  unpack,
  unpackComponent,
  writeStamps,
} from './packed-files.ts';
import { formatLock, type Lock, parseLock, readShippedLock } from './parse-lock.ts';
import { componentFile, type PluginRecord, type PreparedFile } from './plugin-record.ts';

/** A folder of prepared plugins and the lock file that says what they are. */
export type PluginStore = {
  /** by name, sorted */
  list(): PluginRecord[];
  /** The folder of the plugin's prepared files. */
  folderOf(record: PluginRecord): string;
  /**
   * Checks that every file of the plugin has the digest of the lock.
   *
   * @param options.isQuick does not read a file whose size and times are those of its install; no
   *   plugin is loaded on that check alone
   * @throws {KernelError} `plugin-fault` when a file is gone or changed
   */
  verify(record: PluginRecord, options?: { isQuick: boolean }): void;
  /**
   * The prepared files, each checked before it is given, and at the end the component that
   * they were made of.
   *
   * @throws {KernelError} as `verify`
   */
  read(record: PluginRecord): Generator<PreparedFile, void, undefined>;
  /** A checked, unpacked prepared file of this digest; undefined when there is none. */
  plainFile(digest: string): Uint8Array | undefined;
  /** The binary that was installed; undefined where it is gone or changed. */
  component(record: PluginRecord): Buffer | undefined;
  /**
   * Takes over a prepared folder, in which `record.packed` is packed; a plugin of the same name is replaced, and kept to go back to.
   *
   * @param options.expected digest of the one that it replaces, as a person saw it; undefined where
   *   there was none. Without options it replaces whatever is there
   * @throws {KernelError} `conflict` where another process put another one there
   */
  add(record: PluginRecord, prepared: string, options?: { expected: string | undefined }): void;
  /** The one that was there before; undefined where there was none. */
  previous(name: string): PluginRecord | undefined;
  /** @throws {KernelError} `not-found` */
  remove(name: string): PluginRecord;
  /** Prepared plugins that are not installed. */
  kept: string;
  /**
   * An empty folder on the same file system, for preparing; the caller removes it. Removes such
   * folders of killed installs.
   */
  staging(): string;
};

export type StoreOptions = {
  /**
   * The store beside this one, whose files are not packed: a file of the same digest there, such as
   * the engine of most plugins, is not unpacked here. With it binaries are kept packed.
   */
  beside?: PluginStore;
  /** names of files that are kept packed; with `beside` all binaries are */
  packs?: readonly string[];
  /** comes with the program, and so its lock is not checked field by field at each start */
  isShipped?: boolean;
};

/** @param folder `CUERVO_HOME`, or the folder of the built-in plugins */
export function openPluginStore(
  folder: string,
  { beside, packs = beside === undefined ? [] : undefined, isShipped = false }: StoreOptions = {},
): PluginStore {
  const lockPath = join(folder, 'plugins.lock');
  const plugins = join(folder, 'plugins');

  const kept = join(folder, 'prepared');

  const parse = (text: string): Lock =>
    isShipped ? readShippedLock(text, lockPath) : parseLock(text, lockPath);
  const none = (): Lock => ({ plugins: [], previous: [] });
  /** To be changed by whoever reads it. */
  const read = (): Lock => {
    const text = readTextIfPresent(lockPath);
    return text === undefined ? none() : parse(text);
  };
  const parseOnce = rememberLast(parse);
  const look = (): Readonly<Lock> => {
    const text = readTextIfPresent(lockPath);
    return text === undefined ? none() : parseOnce(text);
  };

  /** @param edit is given what takes work for when the lock is written; until then the old one counts */
  const change = <Value>(edit: (lock: Lock, later: (work: () => void) => void) => Value): Value => {
    makeFolder(plugins);
    return changeAlone(lockPath, () => {
      const lock = read();
      const waiting: (() => void)[] = [];
      const value = edit(lock, (work) => waiting.push(work));
      for (const records of [lock.plugins, lock.previous])
        records.sort((one, other) => (one.name < other.name ? -1 : 1));
      writeFileWhole(lockPath, formatLock(lock));
      for (const work of waiting) work();
      return value;
    });
  };

  /** Puts the prepared files of a plugin that goes away aside, unless another has the same ones. */
  const putAside = (record: PluginRecord, { plugins: left, previous }: Lock): void => {
    if (left.some(({ sha256: digest }) => digest === record.sha256)) return;
    const needed = previous.map(({ sha256: digest }) => digest);
    keepPrepared(join(plugins, record.sha256), { record, kept, needed });
  };

  return {
    list: () => [...look().plugins],
    previous: (name) => look().previous.find((record) => record.name === name),
    kept,
    folderOf: (record) => join(plugins, record.sha256),
    verify: (record, { isQuick } = { isQuick: false }) => {
      const folder = join(plugins, record.sha256);
      const unchanged = isQuick ? unchangedFiles(folder, keptDigests(record)) : undefined;
      for (const file of readFiles(record, folder, { beside, unchanged })) void file;
    },
    read: (record) => readFiles(record, join(plugins, record.sha256), { beside }),
    plainFile: (digest) => {
      for (const record of look().plugins) {
        const name = Object.keys(record.files).find((file) => record.files[file] === digest);
        if (name === undefined || record.packed?.[name] !== undefined) continue;
        const bytes = readIfPresent(join(plugins, record.sha256, name));
        if (bytes !== undefined && sha256(bytes) === digest) return bytes;
      }
      return undefined;
    },
    component: (record) => {
      const path = join(plugins, record.sha256, componentFile);
      const digest = record.packed?.[componentFile];
      if (digest === undefined) {
        const bytes = readIfPresent(path);
        return bytes !== undefined && sha256(bytes) === record.sha256 ? bytes : undefined;
      }
      const packed = readIfPresent(`${path}${packedEnding}`);
      if (packed === undefined || sha256(packed) !== digest) return undefined;
      const bytes = unpackedComponent(packed, join(plugins, record.sha256));
      return bytes !== undefined && sha256(bytes) === record.sha256 ? bytes : undefined;
    },
    staging: () => makeHeldFolder(plugins, '.staging'),
    add: (record, prepared, options) =>
      change((lock, later) => {
        const old = take(lock.plugins, record.name);
        const isAsSeen = old?.sha256 === options?.expected || old?.sha256 === record.sha256;
        if (options !== undefined && !isAsSeen) {
          throw changedMeanwhile(record.name);
        }
        const target = join(plugins, record.sha256);
        const { packed: before = {}, ...own } = record;
        const packed = { ...before, ...packFiles(prepared, packs) };
        const added = Object.keys(packed).length === 0 ? own : { ...own, packed };
        // The same bytes may be there from before; what was just prepared is known to be whole.
        // A copy of the built-in ones, as a package makes it, has other numbers and times.
        if (beside !== undefined) writeStamps(prepared, keptDigests(added));
        rmSync(target, { recursive: true, force: true });
        renameSync(prepared, target);
        lock.plugins.push(added);
        if (old === undefined || old.sha256 === record.sha256) return;
        take(lock.previous, record.name);
        lock.previous.push(old);
        later(() => putAside(old, lock));
      }),
    remove: (name) =>
      change((lock, later) => {
        const old = take(lock.plugins, name);
        if (old === undefined) {
          throw unknownPlugin(name, lock.plugins);
        }
        take(lock.previous, name);
        later(() => putAside(old, lock));
        return old;
      }),
  };
}

/** Undefined where a core module beside it changed. */
function unpackedComponent(packed: Uint8Array, folder: string): Buffer | undefined {
  try {
    return unpackComponent(packed, folder);
  } catch {
    return undefined;
  }
}

function take(records: PluginRecord[], name: string): PluginRecord | undefined {
  const index = records.findIndex((record) => record.name === name);
  return index < 0 ? undefined : records.splice(index, 1)[0];
}

function changedMeanwhile(name: string): KernelError {
  return new KernelError('conflict', `another process changed the plugin ${name} meanwhile`, {
    hint: 'Look at what is there with cuervo plugin list, and repeat the command.',
  });
}

/** Digests of the files as they are kept, by their names there. */
function keptDigests({ files, sha256: digest, packed = {} }: PluginRecord): Record<string, string> {
  const expected = { ...files, [componentFile]: digest };
  return Object.fromEntries(
    Object.entries(expected).map(([file, plain]) => {
      const packedDigest = packed[file];
      return packedDigest === undefined ? [file, plain] : [`${file}${packedEnding}`, packedDigest];
    }),
  );
}

function* readFiles(
  record: PluginRecord,
  folder: string,
  options: { beside: PluginStore | undefined; unchanged?: ReadonlySet<string> | undefined },
): Generator<PreparedFile, void, undefined> {
  const expected = { ...record.files, [componentFile]: record.sha256 };
  for (const [file, digest] of Object.entries(expected)) {
    const packedDigest = record.packed?.[file];
    const kept = packedDigest === undefined ? file : `${file}${packedEnding}`;
    if (options.unchanged?.has(kept) === true) continue;
    const bytes = readIfPresent(join(folder, kept));
    const wanted = packedDigest ?? digest;
    const found = bytes === undefined ? undefined : sha256(bytes);
    if (bytes !== undefined && found === wanted) {
      if (file === componentFile) continue;
      const plain =
        packedDigest === undefined ? bytes : (options.beside?.plainFile(digest) ?? unpack(bytes));
      yield { name: file, digest, bytes: plain };
      continue;
    }
    const what =
      found === undefined ? 'is gone' : `changed on disk: its digest is ${found.slice(0, 12)}…`;
    throw new KernelError(
      'plugin-fault',
      `plugin "${record.name}" is not loaded: ${kept} ${what}, the lock says ${wanted.slice(0, 12)}…`,
      { hint: reinstall(record) },
    );
  }
}

function readIfPresent(path: string): Buffer | undefined {
  return existsSync(path) ? readFileSync(path) : undefined;
}

function reinstall(record: PluginRecord): string {
  return record.source === 'built-in'
    ? 'Build the built-in plugins again with: npm run build'
    : `Install it again with: cuervo plugin install ${shellWord(record.source)}`;
}
