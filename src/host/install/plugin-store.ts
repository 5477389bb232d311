import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import { makeFolder } from '../../lib/files/make-folder.ts';
import { readTextIfPresent } from '../../lib/files/read-text-if-present.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import { sha256 } from '../../lib/sha256.ts';
import { shellWord } from '../../lib/text/shell-word.ts';
import { makeHeldFolder } from './held-folder.ts';
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

/** @param folder `CUERVO_HOME`, or the folder of the built-in plugins */
export function openPluginStore(folder: string): PluginStore {
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
      for (const file of readFiles(record, join(plugins, record.sha256))) void file;
    },
    read: (record) => readFiles(record, join(plugins, record.sha256)),
    staging: () => makeHeldFolder(plugins, '.staging'),
    add: (record, prepared) =>
      change((records) => {
        const target = join(plugins, record.sha256);
        // The same bytes may be there from before; what was just prepared is known to be whole.
        rmSync(target, { recursive: true, force: true });
        renameSync(prepared, target);
        const index = records.findIndex(({ name }) => name === record.name);
        const [old] = index < 0 ? [] : records.splice(index, 1);
        records.push(record);
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
): Generator<PreparedFile, void, undefined> {
  const expected = { ...record.files, [componentFile]: record.sha256 };
  for (const [file, digest] of Object.entries(expected)) {
    const path = join(folder, file);
    const bytes = existsSync(path) ? readFileSync(path) : undefined;
    const found = bytes === undefined ? undefined : sha256(bytes);
    if (bytes !== undefined && found === digest) {
      if (file !== componentFile) yield { name: file, digest, bytes };
      continue;
    }
    const what =
      found === undefined ? 'is gone' : `changed on disk: its digest is ${found.slice(0, 12)}…`;
    throw new KernelError(
      'plugin-fault',
      `plugin "${record.name}" is not loaded: ${file} ${what}, the lock says ${digest.slice(0, 12)}…`,
      { hint: reinstall(record) },
    );
  }
}

function reinstall(record: PluginRecord): string {
  return record.source === 'built-in'
    ? 'Build the built-in plugins again with: npm run build'
    : `Install it again with: cuervo plugin install ${shellWord(record.source)}`;
}
