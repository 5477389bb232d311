import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isHolderGone, processHolder } from '../process-holder.ts';
import { makeFolder } from './folders.ts';

/**
 * Makes an empty folder that belongs to this process. Removes folders of its kind that ended
 * processes left; folders of running or unknown processes stay. The caller removes the new one.
 *
 * @param parent made when it is missing; no plugin can be granted it
 * @param kind beginning of its name
 */
export function makeHeldFolder(parent: string, kind: string): string {
  makeFolder(parent);
  for (const name of readdirSync(parent)) {
    const holder = holderOf(name, kind);
    if (holder === undefined || !isHolderGone(holder)) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // A folder of another user, as after an install by root: it stays and disturbs nothing.
    }
  }
  // The folder's name tells its holder from the first moment on.
  const holder = Buffer.from(processHolder()).toString('base64url');
  return mkdtempSync(join(parent, `${kind}-${holder}-`));
}

/** Undefined for the name of another kind of folder. */
function holderOf(name: string, kind: string): string | undefined {
  if (!name.startsWith(`${kind}-`)) return undefined;
  const encoded = /^(.+)-[^-]{6}$/.exec(name.slice(kind.length + 1))?.[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64url').toString();
}
