import { type FSWatcher, watch } from 'node:fs';

/** Watches folders until it is disposed. The caller owns it. */
export type TreeWatch = Disposable & {
  /**
   * Watches these folders and no others.
   *
   * @returns those that it did not watch before
   */
  follow(folders: ReadonlyMap<string, { ino: number }>): string[];
};

/**
 * Tells of folders in which something changed. On Linux each folder has a watch of its own, since the
 * system has none for trees; elsewhere one does for all.
 *
 * @param onChange path of the folder, relative to the root, and the name in it, where it is known
 * @param onFailure called once, when not all can be watched: the system has no more watches
 */
export function watchTree(
  root: string,
  ports: {
    onChange(folder: string, name: string | null): void;
    onFailure(thrown: unknown): void;
  },
  isOneEnough: boolean = process.platform !== 'linux',
): TreeWatch {
  const watches = new Map<string, { watch: FSWatcher; ino: number }>();

  function stop(folder: string): void {
    watches.get(folder)?.watch.close();
    watches.delete(folder);
  }

  function start(folder: string, ino: number): void {
    try {
      const made = watch(`${root}/${folder}`, { recursive: isOneEnough }, (_event, name) => {
        if (!isOneEnough) return ports.onChange(folder, name);
        const path = (name ?? '').replaceAll('\\', '/');
        const slash = path.lastIndexOf('/');
        ports.onChange(path.slice(0, Math.max(0, slash)), path.slice(slash + 1));
      });
      // The folder is gone: the one above tells.
      made.on('error', () => stop(folder));
      watches.set(folder, { watch: made, ino });
    } catch (thrown) {
      const { code = '' } = thrown as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') ports.onFailure(thrown);
    }
  }

  return {
    follow: (folders) => {
      const root = { ino: 0 };
      const wanted = isOneEnough ? new Map([['', root]]) : new Map(folders);
      // The one file with rules that stands in no folder of the walk.
      if (!isOneEnough) wanted.set('.git/info', root);
      for (const [folder, { ino }] of watches) if (wanted.get(folder)?.ino !== ino) stop(folder);
      const added = [...wanted].filter(([folder]) => !watches.has(folder));
      for (const [folder, { ino }] of added) start(folder, ino);
      return added.map(([folder]) => folder).filter((folder) => watches.has(folder));
    },
    [Symbol.dispose]: () => {
      for (const folder of [...watches.keys()]) stop(folder);
    },
  };
}
