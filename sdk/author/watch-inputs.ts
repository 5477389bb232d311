import { hash } from 'node:crypto';
import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { folderOf, hasToml } from '../languages/build-folder.ts';
import { sourcesOf } from '../languages/sources-of.ts';

/** What a build read, by its content: that alone says whether it has to be built again. */
export type BuildInputs = Disposable & {
  /** Call it before a build: what is saved while it runs has to be built again. */
  begin(): void;
  /** @param read files that the build read; undefined where it failed before it could tell */
  end(read: readonly string[] | undefined): void;
  /** Whether a file has other bytes than the last build read. */
  isChanged(): boolean;
};

/** Outputs of builds: while nothing is built, every other file may be what is missing. */
const ignored =
  /(?:^|[\\/])(?:dist|target|node_modules|\.git|wit|__pycache__)(?:[\\/]|$)|~$|\.sw.$/;
/** An editor writes a file in several steps. */
const settleMs = 60;

/**
 * Watches the folder of what an author named, and folders outside of it that a build read from. The
 * caller owns it.
 *
 * @param touched called when something was written there, whatever it is
 */
export function watchInputs(named: string, touched: () => void): BuildInputs {
  const folder = resolve(folderOf(named));
  const isToml = hasToml(folder);
  const watchers = new Map<string, FSWatcher>();
  let before: ReadonlyMap<string, string> = new Map();
  let seen: ReadonlyMap<string, string> = new Map();
  let read: readonly string[] = ['plugin.ts', 'plugin.js'].map((name) => join(folder, name));
  let isBroken = false;
  let isOtherTouched = false;
  let timer: NodeJS.Timeout | undefined;
  const watchFolder = (path: string, recursive: boolean): void => {
    if (watchers.has(path)) return;
    const watcher = watch(path, { recursive }, (_, name) => {
      if (name !== null && !ignored.test(name.split(sep).join('/'))) isOtherTouched = true;
      clearTimeout(timer);
      timer = setTimeout(touched, settleMs);
    });
    watchers.set(path, watcher);
  };
  watchFolder(folder, true);
  const filesNow = () => (isToml ? sourcesOf(folder) : { files: read, isGuess: false });
  return {
    begin: () => {
      const { files, isGuess } = filesNow();
      // what a command makes beside its output is no change of the author
      before = isGuess ? new Map() : digestsOf(files);
      isOtherTouched = false;
    },
    end: (files) => {
      isBroken = files === undefined;
      if (files !== undefined) read = files;
      seen = new Map(
        digestsOf(filesNow().files)
          .entries()
          .map(([path, now]) => [path, before.get(path) ?? now]),
      );
      for (const path of seen.keys()) {
        if (!path.startsWith(folder + sep)) watchFolder(dirname(path), false);
      }
    },
    isChanged: () => {
      if (isBroken && !isToml && isOtherTouched) return true;
      const now = digestsOf(filesNow().files);
      return (
        now.size !== seen.size || now.entries().some(([path, digest]) => seen.get(path) !== digest)
      );
    },
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}

/** Empty for a file that is not there. */
function digestsOf(files: readonly string[]): Map<string, string> {
  return new Map(
    files.map((path) => {
      try {
        return [path, hash('sha256', readFileSync(path))];
      } catch {
        return [path, ''];
      }
    }),
  );
}
