import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readTextIfPresent } from '../../lib/files/read-file.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import type { Walked } from './walk-root.ts';

/** Facts on a dry run beside its copy of the workspace. */
export type DryRunRecord = {
  run: string;
  /** absolute directory that was copied */
  workspace: string;
  /** ms since the epoch, when the copy was complete */
  takenAtMs: number;
  /** the workspace and the copy as they were then */
  original: ReadonlyMap<string, Walked>;
  copy: ReadonlyMap<string, Walked>;
  /** path -> SHA-256 of what the workspace held there, of paths that it changed */
  hashes: ReadonlyMap<string, string>;
};

type Stored = Omit<DryRunRecord, 'original' | 'copy' | 'hashes'> & {
  original: [string, Walked][];
  copy: [string, Walked][];
};

const name = 'record.json';
const hashesName = 'hashes.json';

/** @param folder of the dry run, below `CUERVO_HOME/dry-runs` */
export function writeDryRun(folder: string, record: Omit<DryRunRecord, 'hashes'>): void {
  const { original, copy, ...rest } = record;
  const stored: Stored = { ...rest, original: [...original], copy: [...copy] };
  writeFileWhole(join(folder, name), JSON.stringify(stored));
}

/** Keeps what the workspace held, for whoever looks when its files bear another time. */
export function writeHashes(folder: string, hashes: DryRunRecord['hashes']): void {
  writeFileWhole(join(folder, hashesName), JSON.stringify([...hashes]));
}

/** Forgets it, its record first: whoever looks meanwhile sees a whole copy or none. */
export function removeDryRun(folder: string): void {
  rmSync(join(folder, name), { force: true });
  rmSync(folder, { recursive: true, force: true });
}

/** Undefined where none was finished: its run was cut off, or never began. */
export function readDryRun(folder: string): DryRunRecord | undefined {
  try {
    // Only cuervo writes below its home.
    const stored = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Stored;
    const maps = { original: new Map(stored.original), copy: new Map(stored.copy) };
    return { ...stored, ...maps, hashes: readHashes(folder) };
  } catch {
    return undefined;
  }
}

/** Empty where its run was cut off before anybody looked at what it changed. */
function readHashes(folder: string): Map<string, string> {
  const text = readTextIfPresent(join(folder, hashesName)) ?? '[]';
  return new Map(JSON.parse(text) as [string, string][]);
}
