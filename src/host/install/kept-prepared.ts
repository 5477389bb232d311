import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { makeFolder } from '../../lib/files/folders.ts';
import { sha256 } from '../../lib/sha256.ts';
import { packedEnding } from './packed-files.ts';
import { parseRecord } from './parse-lock.ts';
import { componentFile, type PluginRecord } from './plugin-record.ts';
import { transpilerVersion } from './prepare-plugin.ts';

const recordFile = 'record.json';
/** Prepared plugins that are kept without being installed, beside those to go back to. */
const maxKept = 16;

/** Puts the prepared files of a plugin aside, for a later install of the same binary. */
export function keepPrepared(
  folder: string,
  { record, kept, needed }: { record: PluginRecord; kept: string; needed: readonly string[] },
): void {
  makeFolder(kept);
  const place = join(kept, record.sha256);
  rmSync(place, { recursive: true, force: true });
  try {
    renameSync(folder, place);
    writeFileSync(join(place, recordFile), JSON.stringify(record), { mode: 0o600 });
  } catch {
    // Only time is lost; a folder must not stay half there either.
    rmSync(folder, { recursive: true, force: true });
  }
  const old = readdirSync(kept)
    .filter((digest) => !needed.includes(digest))
    .map((digest) => ({ digest, ms: statSync(join(kept, digest)).mtimeMs }))
    .toSorted((one, other) => other.ms - one.ms);
  for (const { digest } of old.slice(maxKept)) {
    rmSync(join(kept, digest), { recursive: true, force: true });
  }
}

/**
 * Fills a staging folder with files that were prepared from the same binary before, packed as they
 * were kept.
 *
 * @returns undefined when there are none, or when they have another limit or changed on disk
 */
export function takePrepared(
  store: { list(): PluginRecord[]; folderOf(record: PluginRecord): string; kept: string },
  { digest, staging, memoryBytes }: { digest: string; staging: string; memoryBytes: number },
): PluginRecord | undefined {
  const installed = store.list().find((record) => record.sha256 === digest);
  const place = installed === undefined ? join(store.kept, digest) : store.folderOf(installed);
  const record = installed ?? recordIn(place);
  if (record?.transpiler !== transpilerVersion || record.memoryBytes !== memoryBytes)
    return undefined;
  try {
    mkdirSync(staging, { recursive: true, mode: 0o700 });
    const expected = { ...record.files, [componentFile]: digest };
    for (const [name, wanted] of Object.entries(expected)) {
      takeFile({ place, staging, name, wanted, packed: record.packed?.[name] });
    }
  } catch {
    for (const name of readdirSync(staging)) rmSync(join(staging, name), { force: true });
    return undefined;
  }
  // Publisher and name belong to that install and not to the binary.
  const { identity, publishedAs, data, base, resolved, ...own } = record;
  return { ...own, name: publishedAs ?? own.name };
}

function recordIn(place: string): PluginRecord | undefined {
  try {
    return parseRecord(readFileSync(join(place, recordFile), 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param packed digest of the file as it is kept, where it is kept packed */
function takeFile(file: {
  place: string;
  staging: string;
  name: string;
  wanted: string;
  packed: string | undefined;
}): void {
  const { place, staging, name, wanted, packed } = file;
  const kept = join(place, packed === undefined ? name : `${name}${packedEnding}`);
  if (sha256(readFileSync(kept)) !== (packed ?? wanted)) throw new Error(name);
  shareFile(kept, join(staging, basename(kept)));
}

/** Prepared files are replaced and never written again, so that two folders may share them. */
function shareFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
