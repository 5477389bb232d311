import { closeName, directoryFlags, openName } from '../../below/open-name.ts';
import { isLocalFailure } from '../../below/system-failure.ts';

/** Reaches files by their paths, of which most stand in the folder of the one before. */
export type Folders = Disposable & {
  /**
   * @param path relative to the root, links resolved: one that has taken the place of a folder is
   *   not followed
   * @param use not called when the folder is gone
   */
  reach(path: string, use: (directoryFd: number, name: string) => void): void;
};

/** The caller disposes it. */
export function openFolders(rootFd: number): Folders {
  let open: { folder: string; fd: number | undefined } = { folder: '', fd: rootFd };

  function close(): void {
    if (open.fd !== undefined && open.fd !== rootFd) closeName(open.fd);
    open = { folder: '', fd: rootFd };
  }

  return {
    reach: (path, use) => {
      const slash = path.lastIndexOf('/');
      const folder = slash < 0 ? '' : path.slice(0, slash);
      if (folder !== open.folder) {
        close();
        open = { folder, fd: openFolder(rootFd, folder) };
      }
      if (open.fd !== undefined) use(open.fd, path.slice(slash + 1));
    },
    [Symbol.dispose]: close,
  };
}

/** @returns undefined when it is gone or may not be entered; the root itself for '' */
function openFolder(rootFd: number, folder: string): number | undefined {
  let fd = rootFd;
  for (const name of folder === '' ? [] : folder.split('/')) {
    let next: number | undefined;
    try {
      next = openName(fd, name, directoryFlags);
    } catch (thrown) {
      if (!isLocalFailure(thrown)) throw thrown;
    } finally {
      if (fd !== rootFd) closeName(fd);
    }
    if (next === undefined) return undefined;
    fd = next;
  }
  return fd;
}
