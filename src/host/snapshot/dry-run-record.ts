import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileWhole } from '../../lib/write-file-whole.ts';
import type { Walked } from './walk-root.ts';

/** What is known of a dry run beside the copy it worked on. */
export type DryRunRecord = {
  run: string;
  /** absolute directory that was copied */
  workspace: string;
  /** ms since the epoch, when the copy was complete */
  takenAtMs: number;
  /** the workspace and the copy as they were then */
  original: ReadonlyMap<string, Walked>;
  copy: ReadonlyMap<string, Walked>;
};

type Stored = Omit<DryRunRecord, 'original' | 'copy'> & {
  original: [string, Walked][];
  copy: [string, Walked][];
};

const name = 'record.json';

/** @param folder of the dry run, below `CUERVO_HOME/dry-runs` */
export function writeDryRun(folder: string, record: DryRunRecord): void {
  const { original, copy, ...rest } = record;
  const stored: Stored = { ...rest, original: [...original], copy: [...copy] };
  writeFileWhole(join(folder, name), JSON.stringify(stored));
}

/** Forgets it, its record first: whoever looks meanwhile sees a whole copy or none. */
export function removeDryRun(folder: string): void {
  rmSync(join(folder, name), { force: true });
  rmSync(folder, { recursive: true, force: true });
}

/** Undefined where none was finished: its run was cut off, or never began. */
export function readDryRun(folder: string): DryRunRecord | undefined {
  try {
    // Nobody but cuervo writes below its home.
    const stored = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Stored;
    return { ...stored, original: new Map(stored.original), copy: new Map(stored.copy) };
  } catch {
    return undefined;
  }
}
