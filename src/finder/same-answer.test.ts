import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { answersOf, editTree, numbersFrom } from '../../tests/support/edited-tree.ts';
import { runs } from '../../tests/support/runs.ts';
import { openTempTree } from '../../tests/support/temp-tree.ts';
import { createFsInterface } from '../fs/fs-interface.ts';
import type { AskIndex } from '../fs/fs-types.ts';
import { followTree } from './follow-tree.ts';
import { openFinder } from './open-finder.ts';
import type { FinderQuestion } from './parse-question.ts';

const isWithheld = (path: string): boolean => path.endsWith('deep/b.ts');

/** A tree with an index, and its files with and without it. The caller owns it. */
function open(sinceMs: () => number) {
  const stack = new DisposableStack();
  const tree = stack.use(openTempTree({ 'src/a.ts': 'retryLimit\n', 'src/deep/a.ts': 'x\n' }));
  const home = mkdtempSync(join(tmpdir(), 'finder-'));
  stack.defer(() => rmSync(home, { recursive: true }));
  const place = { path: join(home, 'files.db'), root: tree.path, key: '', isWithheld };
  const finder = stack.use(openFinder(place));
  const made = { place, tree, finder, answered: 0 };
  const ask = (call: string) => (of: { start: readonly string[] }, options: unknown) => {
    const question = { call, start: of.start.join('/'), options } as FinderQuestion;
    const candidates = finder.answer(question, sinceMs());
    if (candidates !== undefined) made.answered += 1;
    return candidates;
  };
  const index = { walk: ask('walk'), scan: ask('scan'), tally: ask('tally') } as AskIndex;
  const ports = { roots: tree.roots, report: () => {}, isProtected: isWithheld };
  const plain = createFsInterface(ports);
  const indexed = createFsInterface({ ...ports, index });
  return Object.assign(made, { plain, indexed, [Symbol.dispose]: () => stack.dispose() });
}

it('a search by an index finds what one without finds, over any edits between', () => {
  const seeds = Array.from({ length: runs(200) }, (_, index) => index);
  let answered = 0;
  for (const seed of seeds) {
    const random = numbersFrom(seed * 7919 + 17);
    using opened = open(() => performance.now());
    for (let round = 0; round < 6; round += 1) {
      for (let edits = random() * 6; edits > 0; edits -= 1) editTree(random, opened.tree.path);
      const question = seed * 100 + round;
      const wanted = answersOf(opened.plain, numbersFrom(question));
      const given = answersOf(opened.indexed, numbersFrom(question));
      expect(given, `seed ${seed}, round ${round}`).toEqual(wanted);
    }
    answered += opened.answered;
  }
  // The index was asked, and did not only decline.
  expect(answered).toBeGreaterThan(seeds.length * 3);
});

it('an index that is watched gives the same, and looks for no changes', async () => {
  const seeds = Array.from({ length: runs(100) }, (_, index) => index);
  let answered = 0;
  for (const seed of seeds) {
    const random = numbersFrom(seed * 104_729 + 5);
    using opened = open(() => Number.NEGATIVE_INFINITY);
    const { tree, place, finder } = opened;
    using watcher = openFinder(place);
    const ending = new AbortController();
    const { promise: following, resolve } = Promise.withResolvers<void>();
    const onFollowing = async (): Promise<void> => resolve();
    const followed = followTree(tree.path, watcher, { signal: ending.signal, onFollowing });
    await Promise.race([following, followed]);
    for (let round = 0; round < 4; round += 1) {
      for (let edits = random() * 8; edits > 0; edits -= 1) editTree(random, tree.path);
      // The system tells of changes in their order.
      const mark = `mark-${round}.txt`;
      writeFileSync(join(tree.path, mark), mark);
      const walk = { include: [mark], exclude: [], ignoreFiles: true, hidden: true, limit: 10 };
      await vi.waitFor(() => {
        const found = finder.answer(
          { call: 'walk', start: '', options: walk },
          Number.NEGATIVE_INFINITY,
        );
        expect(watcher.isCaughtUp() && found?.paths).toEqual([mark]);
      });
      const question = seed * 100 + round;
      const wanted = answersOf(opened.plain, numbersFrom(question));
      const given = answersOf(opened.indexed, numbersFrom(question));
      expect(given, `seed ${seed}, round ${round}`).toEqual(wanted);
    }
    ending.abort();
    await followed;
    answered += opened.answered;
  }
  expect(answered).toBeGreaterThan(seeds.length * 2);
});
