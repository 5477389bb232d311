import { closeName, directoryFlags, openName } from '../../below/open-name.ts';
import { isLocalFailure } from '../../below/system-failure.ts';
import type { Folder } from './open-files.ts';

/** Reaches files by their paths, of which most stand in the folder of the one before. */
export type Folders = Disposable & {
  /**
   * @param path relative to the root, links resolved: one that has taken the place of a folder is
   *   not followed
   * @param use not called when the folder is gone
   */
  reach(path: string, use: (folder: Folder, name: string) => void): void;
};

/** The caller disposes it. */
export function openFolders(rootFd: number): Folders {
  const root: Folder = { fd: rootFd };
  let open: { path: string; folder: Folder | undefined } = { path: '', folder: root };

  function close(): void {
    if (open.folder !== undefined && open.folder !== root) closeName(open.folder.fd);
    open = { path: '', folder: root };
  }

  return {
    reach: (path, use) => {
      const slash = path.lastIndexOf('/');
      const wanted = slash < 0 ? '' : path.slice(0, slash);
      if (wanted !== open.path) {
        close();
        open = { path: wanted, folder: openFolder(root, wanted) };
      }
      if (open.folder !== undefined) use(open.folder, path.slice(slash + 1));
    },
    [Symbol.dispose]: close,
  };
}

/** @returns undefined when it is gone or may not be entered; the root itself for '' */
function openFolder(root: Folder, path: string): Folder | undefined {
  if (path === '') return root;
  let { fd } = root;
  for (const name of path.split('/')) {
    let next: number | undefined;
    try {
      next = openName(fd, name, directoryFlags);
    } catch (thrown) {
      if (!isLocalFailure(thrown)) throw thrown;
    } finally {
      if (fd !== root.fd) closeName(fd);
    }
    if (next === undefined) return undefined;
    fd = next;
  }
  return { fd };
}
