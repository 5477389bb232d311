import { openSync } from 'node:fs';
import { atName, fileFlags, openName } from '../../below/open-name.ts';
import { errorCode } from '../../below/system-failure.ts';
import type { SearchPlace } from './search-place.ts';

/**
 * An open directory. Another one is another object, also where the system gives it the number of
 * one that was closed.
 */
export type Folder = { readonly fd: number };

/**
 * Opens a file in a folder; the caller closes it with `closeName()`.
 *
 * @param name one segment, listed as a regular file
 * @throws errors of the system, as `openName()`
 */
export type OpenFile = (folder: Folder, name: string) => number;

/** Where the process is, which is one of it. */
let entered: Folder | undefined;

/**
 * Opens many files, most of them in the folder of the one before. Where a place may be entered, each
 * folder is, by its descriptor, and its files are opened by their bare names: that looks up one name,
 * in the directory that was opened, where `/proc/self/fd/N/NAME` takes six and as long again as
 * opening and reading. The process stays where it was last: nothing else in it has a relative path.
 */
export function createFileOpener({ enters }: SearchPlace): OpenFile {
  if (!enters) return ({ fd }, name) => openName(fd, name, fileFlags);
  return (folder, name) => {
    try {
      if (entered !== folder) enter(folder);
      return openSync(name, fileFlags);
    } catch (thrown) {
      // The permission model asks where the folder is by now: it was moved or removed.
      if (errorCode(thrown) !== 'ERR_ACCESS_DENIED') throw thrown;
      return openName(folder.fd, name, fileFlags);
    }
  };
}

function enter(folder: Folder): void {
  atName(folder.fd, '', (path) => process.chdir(path));
  entered = folder;
}
