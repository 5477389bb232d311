import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createContentGate } from '../../contracts/content-gate.ts';
import { reasonOf } from '../../contracts/error.ts';
import { secretNames } from '../../contracts/name-lists.ts';
import type { IndexState } from '../../contracts/output/parse-memory.ts';
import type { Finder } from '../../finder/open-finder.ts';
import { indexFolder, type watchFiles } from '../../finder/watch-files.ts';
import type { FileIndex } from '../../host/run/index-help.ts';
import { protectedBelow, workRoot } from '../../lib/files/paths.ts';
import { entriesIn } from '../../lib/files/raw-fs.ts';
import { once } from '../../lib/memo.ts';
import { sha256 } from '../../lib/sha256.ts';
import type { KernelCore } from '../core.ts';

/** The index of the workspace's files, by which searches leave out files that hold nothing. */
export type FilesIndex = {
  /** for tools; it answers where `update` has made an index */
  forTools: FileIndex;
  /** Brings it up to the files; makes it where there is none. */
  update: Finder['update'];
  remove(): Promise<void>;
  exists(): boolean;
  state(): Promise<IndexState['search']>;
  wantsWatch(): Promise<'no' | 'index' | 'files'>;
  /** Keeps it up with the files, so that no search looks for what changed; see `watchFiles()`. */
  watch(options: Parameters<typeof watchFiles>[1]): Promise<boolean>;
};

/** For this time calls of one run use the last look at the files. */
const sameMs = 1000;
/** Searching fewer files is as fast as asking an index. */
const manyFiles = 5000;
/** A watching process may miss a tool's write for this time. */
const lagMs = 2000;

export function createFilesIndex(core: KernelCore): FilesIndex {
  const { config, warn } = core;
  const root = config.workspace;
  const entries = protectedBelow(config);
  const gate = createContentGate(entries);
  const reader = { roots: [workRoot] };
  // On demand: the digest loads `node:crypto`, and a plain list needs no index.
  const folder = once(() => indexFolder(config.home, root));
  const exists = (): boolean => existsSync(join(folder(), 'files.db'));

  const openNow = async (): Promise<Finder> => {
    core.openHome();
    const [{ openFinder }, { makePrivate }] = await Promise.all([
      import('../../finder/open-finder.ts'),
      import('../../lib/sqlite/database-file.ts'),
    ]);
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    const path = join(folder(), 'files.db');
    makePrivate(path);
    return openFinder({
      path,
      root,
      key: sha256(JSON.stringify([entries, secretNames])),
      isWithheld: (name) => !gate.shows({ root: workRoot, path: name }, reader),
    });
  };
  let opened: Promise<Finder> | undefined;
  const open = (): Promise<Finder> => {
    opened ??= openNow();
    return opened;
  };
  const use = async <Value>(work: (finder: Finder) => Value | Promise<Value>): Promise<Value> => {
    try {
      return await work(await open());
    } catch (thrown) {
      const { isSqliteError, toStoreError } = await import('../../lib/sqlite/database-file.ts');
      throw isSqliteError(thrown) ? toStoreError(thrown, join(folder(), 'files.db')) : thrown;
    }
  };
  const close = async (): Promise<void> => {
    const finder = opened;
    opened = undefined;
    await finder?.then(
      (made) => made[Symbol.dispose](),
      () => {}, // whoever opened it was told
    );
  };
  core.own({ [Symbol.asyncDispose]: close });

  /** The run that looked at the files last, and when. */
  let seen: { run: string | undefined; ms: number } = { run: undefined, ms: 0 };
  let isBroken = false;
  let changedMs = Number.NEGATIVE_INFINITY;
  let watched = { is: false, ms: Number.NEGATIVE_INFINITY };

  const isWatchedNow = async (): Promise<boolean> => {
    const nowMs = performance.now();
    if (nowMs - watched.ms < sameMs) return watched.is;
    const { isWatched } = await import('../../finder/watch-files.ts');
    watched = { is: isWatched(folder()), ms: nowMs };
    return watched.is;
  };

  const answer: FileIndex['answer'] = async (asked, { folder: searched, run }) => {
    if (isBroken || searched !== root || !exists()) return undefined;
    try {
      const { parseFinderQuestion } = await import('../../finder/parse-question.ts');
      const question = parseFinderQuestion(asked);
      if (question === undefined) return undefined;
      return await use(async (finder) => {
        const nowMs = performance.now();
        if (nowMs - changedMs > lagMs && (await isWatchedNow()) && finder.isCaughtUp())
          return finder.answer(question, Number.NEGATIVE_INFINITY);
        const isSame = run !== undefined && run === seen.run && nowMs - seen.ms < sameMs;
        if (!isSame) seen = { run, ms: nowMs };
        return finder.answer(question, seen.ms);
      });
    } catch (thrown) {
      // Searches go on without the index.
      isBroken = true;
      warn(`the index of files is not used: ${reasonOf(thrown)}; make it anew with: cuervo index`);
      return undefined;
    }
  };

  const remove = async (): Promise<void> => {
    await close();
    rmSync(folder(), { recursive: true, force: true });
  };

  return {
    forTools: {
      answer,
      noteChange: () => {
        seen = { run: undefined, ms: 0 };
        changedMs = performance.now();
      },
    },
    update: async (options) => {
      try {
        return await use((finder) => finder.update(options));
      } catch (thrown) {
        const { cause } = thrown as { cause?: { code?: unknown } };
        if (!/^SQLITE_CORRUPT/.test(String(cause?.code))) throw thrown;
        // Nothing is lost: the index holds only what the files hold.
        await remove();
        return await use((finder) => finder.update(options));
      }
    },
    ...{ remove, exists },
    wantsWatch: async () => {
      if (config.index === 'off' || config.workFolder !== undefined) return 'no';
      if (exists()) return (await isWatchedNow()) ? 'no' : 'index';
      return holdsMore(root, manyFiles) ? 'files' : 'no';
    },
    state: async () => {
      if (!exists()) return { files: 0, stale: 0, gone: 0, state: 'none' };
      const state = await use((finder) => finder.state());
      return { ...state, state: (await isWatchedNow()) ? 'watched' : 'walked' };
    },
    watch: async (options) => {
      const { watchFiles } = await import('../../finder/watch-files.ts');
      return await use((finder) => watchFiles({ folder: folder(), root, finder }, options));
    },
  };
}

/** Whether a folder has more files than `most`, ignore files not applied. */
function holdsMore(root: string, most: number): boolean {
  const left = [root];
  let files = 0;
  for (let folder = left.pop(); folder !== undefined && files <= most; folder = left.pop()) {
    try {
      for (const entry of entriesIn(folder)) {
        if (entry.isFile()) files += 1;
        else if (entry.isDirectory() && !['.git', 'node_modules'].includes(entry.name))
          left.push(join(folder, entry.name));
      }
    } catch {
      // Ignored: a search cannot list this folder either.
    }
  }
  return files > most;
}
