import { rmSync } from 'node:fs';
import { makeHeldFolder } from '../../lib/files/held-folder.ts';

/** A folder for copies of indexes, removed when it is disposed. */
export type IndexFolder = Disposable & { path: string };

/**
 * Makes a folder that belongs to this process, and removes those that killed ones left behind.
 *
 * @param parent made where it is missing; no plugin can be granted it
 */
export function makeIndexFolder(parent: string): IndexFolder {
  const path = makeHeldFolder(parent, 'index');
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
