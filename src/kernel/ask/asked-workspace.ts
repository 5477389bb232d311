import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { AskedWorkspace } from '../../router/read-intent.ts';

/** What the router has to know of a workspace. */
export function askedWorkspace(path: string): AskedWorkspace {
  return {
    path,
    name: basename(path),
    hasFolder: (folder) => {
      if (folder.split('/').includes('..')) return false;
      return statSync(join(path, folder), { throwIfNoEntry: false })?.isDirectory() === true;
    },
  };
}
