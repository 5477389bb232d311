import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isHolderGone, processHolder } from '../../lib/process-holder.ts';

/** A folder for copies of indexes, removed when it is disposed. */
export type IndexFolder = Disposable & { path: string };

/** Behind it whose folder it is, so that there is no moment in which nobody can tell. */
const namePattern = /^index-(.+)-[^-]{6}$/;

/**
 * Makes a folder that belongs to this process, and removes those that processes which are gone left
 * behind. Those of others that still run, or of which nobody can tell, stay.
 *
 * @param parent made where it is missing; no plugin can be granted it
 */
export function makeIndexFolder(parent: string): IndexFolder {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(parent)) {
    const holder = namePattern.exec(name)?.[1];
    if (holder === undefined || !isGone(holder)) continue;
    rmSync(join(parent, name), { recursive: true, force: true });
  }
  const path = mkdtempSync(join(parent, `index-${encodeURIComponent(processHolder())}-`));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

function isGone(encoded: string): boolean {
  try {
    return isHolderGone(decodeURIComponent(encoded));
  } catch {
    // Written by nobody of ours.
    return false;
  }
}
