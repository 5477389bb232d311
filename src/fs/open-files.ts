import { openSync } from 'node:fs';
import { atName, fileFlags, openName } from '../paths/open-name.ts';
import { errorCode } from '../paths/system-failure.ts';
import type { SearchPlace } from './glob-filter.ts';

/**
 * An open directory. Another one is another object, also where the system gives it the number of
 * one that was closed.
 */
export type Folder = { readonly fd: number };

/** The caller disposes it. */
export type FileOpener = Disposable & {
  /**
   * Opens a file in a folder; the caller closes it with `closeName()`.
   *
   * @param name one segment, listed as a regular file
   * @throws errors of the system, as `openName()`
   */
  open(folder: Folder, name: string): number;
};

/** The folder of the process, one for all of it. */
let entered: Folder | undefined;

/**
 * Opens many files, most of them in the folder of the one before. Where a place may be entered, each
 * folder is, by its descriptor, and its files are opened by their bare names: that looks up one name,
 * in the directory that was opened, where `/proc/self/fd/N/NAME` takes six and as long again as
 * opening and reading. Between two folders the process stays where it was: nothing else in it has a
 * relative path.
 */
export function createFileOpener({ enters, rootFd }: SearchPlace): FileOpener {
  if (!enters) {
    return { open: ({ fd }, name) => openName(fd, name, fileFlags), [Symbol.dispose]: () => {} };
  }
  return {
    open: (folder, name) => {
      try {
        if (entered !== folder) enter(folder);
        return openSync(name, fileFlags);
      } catch (thrown) {
        // The permission model asks where the folder is by now: it was moved or removed.
        if (errorCode(thrown) !== 'ERR_ACCESS_DENIED') throw thrown;
        return openName(folder.fd, name, fileFlags);
      }
    },
    [Symbol.dispose]: () => leaveFor(rootFd),
  };
}

function enter(folder: Folder): void {
  atName(folder.fd, '', (path) => process.chdir(String(path)));
  entered = folder;
}

/**
 * A file system that lies in a root, and in which an idle process stays, cannot be unmounted. The root
 * itself it has open anyway, and elsewhere it may not go.
 */
function leaveFor(rootFd: number): void {
  if (entered === undefined) return;
  entered = undefined;
  try {
    atName(rootFd, '', (path) => process.chdir(String(path)));
  } catch {
    // The root may not be entered any more: the process stays where it is.
  }
}
