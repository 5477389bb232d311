import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createContentGate } from '../../contracts/content-gate.ts';
import { reasonOf } from '../../contracts/error.ts';
import { secretNames } from '../../contracts/name-lists.ts';
import type { Finder } from '../../finder/open-finder.ts';
import type { FileIndex } from '../../host/run/index-help.ts';
import { protectedBelow, workRoot } from '../../lib/files/roots.ts';
import { sha256 } from '../../lib/sha256.ts';
import type { KernelCore } from '../core.ts';

/** The index of the workspace's files, by which searches leave out files that hold nothing. */
export type FilesIndex = {
  /** for tools; it answers where `update` has made an index */
  forTools: FileIndex;
  /** Brings it up to the files; makes it where there is none. */
  update: Finder['update'];
  remove(): Promise<void>;
};

/** So long, calls of one run see the files as they were. */
const sameMs = 1000;
const pathDigits = 32;

export function createFilesIndex(core: KernelCore): FilesIndex {
  const { config, warn } = core;
  const root = config.workspace;
  const entries = protectedBelow(config);
  const gate = createContentGate(entries);
  const reader = { roots: [workRoot] };
  const path = join(config.home, 'index', sha256(root).slice(0, pathDigits), 'files.db');
  const exists = (): boolean => existsSync(path);

  const openNow = async (): Promise<Finder> => {
    core.openHome();
    const [{ openFinder }, { makePrivate }] = await Promise.all([
      import('../../finder/open-finder.ts'),
      import('../../store/make-private.ts'),
    ]);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
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

  const answer: FileIndex['answer'] = async (asked, { folder, run }) => {
    if (isBroken || folder !== root || !exists()) return undefined;
    try {
      const [finder, { parseFinderQuestion }] = await Promise.all([
        open(),
        import('../../finder/parse-question.ts'),
      ]);
      const question = parseFinderQuestion(asked);
      if (question === undefined) return undefined;
      const nowMs = performance.now();
      const isSame = run !== undefined && run === seen.run && nowMs - seen.ms < sameMs;
      if (!isSame) seen = { run, ms: nowMs };
      return finder.answer(question, seen.ms);
    } catch (thrown) {
      // Searches do without, as they do in a workspace that has none.
      isBroken = true;
      warn(`the index of files is not used: ${reasonOf(thrown)}; make it anew with: cuervo index`);
      return undefined;
    }
  };

  const remove = async (): Promise<void> => {
    await close();
    rmSync(dirname(path), { recursive: true, force: true });
  };

  return {
    forTools: {
      answer,
      noteChange: () => {
        seen = { run: undefined, ms: 0 };
      },
    },
    update: async (options) => {
      try {
        const finder = await open();
        return await finder.update(options);
      } catch (thrown) {
        const { code = '' } = thrown as { code?: unknown };
        if (!/^SQLITE_CORRUPT/.test(String(code))) throw thrown;
        // It holds nothing that the files do not.
        await remove();
        const finder = await open();
        return await finder.update(options);
      }
    },
    remove,
  };
}
