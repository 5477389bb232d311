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
 * Opens many files, mostly several of one folder in a row. Where the process may enter the place,
 * it changes into each folder by its descriptor and opens files by their bare names. That is one
 * lookup; `/proc/self/fd/N/NAME` takes six, and as long again as opening and reading. Between two
 * folders the process stays where it is: nothing else in it uses relative paths.
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
        // The folder was moved or removed, so the permission model refuses its present path.
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
 * Goes back to the root: a file system mounted inside it cannot be unmounted while an idle process
 * stays there. The root is open anyway, and the process may go nowhere else.
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
