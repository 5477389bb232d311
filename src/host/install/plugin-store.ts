import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import { makeFolder } from '../../lib/files/make-folder.ts';
import { readTextIfPresent } from '../../lib/files/read-text-if-present.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import { sha256 } from '../../lib/sha256.ts';
import { shellWord } from '../../lib/text/shell-word.ts';
import { makeHeldFolder } from './held-folder.ts';
import { packedEnding, packFiles, unpack } from './packed-files.ts';
import { formatLock, parseLock } from './parse-lock.ts';
import type { PluginRecord } from './plugin-record.ts';
import type { PreparedFile } from './prepared-file.ts';
import { withLockFile } from './with-lock-file.ts';

/** The binary itself, kept beside what was made of it. */
const componentFile = 'component.wasm';

/** A folder of prepared plugins and the lock file that says what they are. */
export type PluginStore = {
  /** by name, sorted */
  list(): PluginRecord[];
  /** Where the plugin's prepared files lie. */
  folderOf(record: PluginRecord): string;
  /**
   * That every file of the plugin has the digest of the lock.
   *
   * @throws {KernelError} `plugin-fault` when a file is gone or changed
   */
  verify(record: PluginRecord): void;
  /**
   * The prepared files, each checked before it is given, and at the end the component that
   * they were made of.
   *
   * @throws {KernelError} as `verify`
   */
  read(record: PluginRecord): Generator<PreparedFile, void, undefined>;
  /** A prepared file of this digest that is not packed, checked; undefined where there is none. */
  plainFile(digest: string): Uint8Array | undefined;
  /** The binary that was installed; undefined where it is gone or changed. */
  component(record: PluginRecord): Uint8Array | undefined;
  /** Takes over a prepared folder; a plugin of the same name is replaced. */
  add(record: PluginRecord, prepared: string): void;
  /** @throws {KernelError} `not-found` */
  remove(name: string): PluginRecord;
  /**
   * An empty folder on the same file system, for preparing; the caller removes it. What an install
   * that was killed left of such folders goes.
   */
  staging(): string;
};

export type StoreOptions = {
  /**
   * The store beside this one, whose files are not packed: what it has of the same digest, as the
   * engine of most plugins, is not unpacked here. With it binaries are kept packed.
   */
  beside?: PluginStore;
};

/** @param folder `CUERVO_HOME`, or the folder of the built-in plugins */
export function openPluginStore(folder: string, { beside }: StoreOptions = {}): PluginStore {
  const lockPath = join(folder, 'plugins.lock');
  const plugins = join(folder, 'plugins');

  const list = (): PluginRecord[] => {
    const text = readTextIfPresent(lockPath);
    return text === undefined ? [] : parseLock(text, lockPath);
  };

  const change = <Value>(edit: (records: PluginRecord[]) => Value): Value => {
    makeFolder(plugins);
    return withLockFile(`${lockPath}.busy`, () => {
      const records = list();
      const value = edit(records);
      records.sort((one, other) => (one.name < other.name ? -1 : 1));
      writeFileWhole(lockPath, formatLock(records));
      return value;
    });
  };

  return {
    list,
    folderOf: (record) => join(plugins, record.sha256),
    verify: (record) => {
      for (const file of readFiles(record, join(plugins, record.sha256), beside)) void file;
    },
    read: (record) => readFiles(record, join(plugins, record.sha256), beside),
    plainFile: (digest) => {
      for (const record of list()) {
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
      if (digest === undefined) return readIfPresent(path);
      const packed = readIfPresent(`${path}${packedEnding}`);
      return packed !== undefined && sha256(packed) === digest ? unpack(packed) : undefined;
    },
    staging: () => makeHeldFolder(plugins, '.staging'),
    add: (record, prepared) =>
      change((records) => {
        const target = join(plugins, record.sha256);
        const added = beside === undefined ? record : { ...record, packed: packFiles(prepared) };
        // The same bytes may be there from before; what was just prepared is known to be whole.
        rmSync(target, { recursive: true, force: true });
        renameSync(prepared, target);
        const index = records.findIndex(({ name }) => name === record.name);
        const [old] = index < 0 ? [] : records.splice(index, 1);
        records.push(added);
        if (old !== undefined && old.sha256 !== record.sha256) {
          rmSync(join(plugins, old.sha256), { recursive: true, force: true });
        }
      }),
    remove: (name) =>
      change((records) => {
        const index = records.findIndex((record) => record.name === name);
        const [old] = index < 0 ? [] : records.splice(index, 1);
        if (old === undefined) {
          throw new KernelError('not-found', `no plugin "${name}" is installed`, {
            hint: 'See what is installed with: cuervo plugin list',
          });
        }
        rmSync(join(plugins, old.sha256), { recursive: true, force: true });
        return old;
      }),
  };
}

function* readFiles(
  record: PluginRecord,
  folder: string,
  beside: PluginStore | undefined,
): Generator<PreparedFile, void, undefined> {
  const expected = { ...record.files, [componentFile]: record.sha256 };
  for (const [file, digest] of Object.entries(expected)) {
    const packedDigest = record.packed?.[file];
    const kept = packedDigest === undefined ? file : `${file}${packedEnding}`;
    const bytes = readIfPresent(join(folder, kept));
    const wanted = packedDigest ?? digest;
    const found = bytes === undefined ? undefined : sha256(bytes);
    if (bytes !== undefined && found === wanted) {
      if (file === componentFile) continue;
      const plain =
        packedDigest === undefined ? bytes : (beside?.plainFile(digest) ?? unpack(bytes));
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
