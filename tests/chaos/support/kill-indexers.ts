import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openFinder } from '../../../src/finder/open-finder.ts';
import type { FinderQuestion } from '../../../src/finder/parse-question.ts';
import { openTempTree, wholeWalk } from '../../support/temp-tree.ts';

const words = ['alpha', 'beta', 'gamma', 'delta'];
const finderPath = resolve(import.meta.dirname, '../../../src/finder/open-finder.ts');
const script = `
  import { openFinder } from ${JSON.stringify(finderPath)};
  const [path, root] = process.argv.slice(1);
  const finder = openFinder({ path, root, key: '', isWithheld: () => false });
  process.stdout.write('open');
  await finder.update({ signal: new AbortController().signal });
  process.stdout.write(' whole');`;

const scan = (pattern: string): FinderQuestion => {
  const options = { walk: wholeWalk, pattern, literal: true, caseInsensitive: false };
  return { call: 'scan', start: '', options: { ...options, before: 0, after: 0, limit: 100 } };
};
const tally: FinderQuestion = {
  call: 'tally',
  start: '',
  options: { walk: wholeWalk, words, window: 40, overlap: 10, limit: 50 },
};
const questions = [scan('alpha'), scan('file77'), scan('delta\nfile'), tally];

/**
 * Kills the process that makes an index again and again, with an edit of a file between, and
 * compares what comes of it with an index that was made in peace.
 *
 * @param options.withinMs a process is killed at a random moment within that time of its start
 * @returns how many were killed before their end, and the questions that were answered otherwise
 */
export async function killIndexers(
  { files, kills, withinMs }: { files: number; kills: number; withinMs: number },
  random: () => number,
): Promise<{ cut: number; found: number; differ: readonly string[] }> {
  const textOf = (file: number): string =>
    `${words.filter(() => random() < 0.3).join('\n')}\nfile${file}\n`.repeat(20);
  const pathOf = (file: number): string => `folder-${file % 40}/file-${file}.ts`;
  using tree = openTempTree();
  for (let file = 0; file < files; file += 1) tree.write({ [pathOf(file)]: textOf(file) });
  const home = mkdtempSync(join(tmpdir(), 'finder-'));
  const path = join(home, 'files.db');
  let cut = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const args = ['--input-type=module', '-e', script, path, tree.path];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    await new Promise<void>((done) => {
      child.stdout.on('data', (text) => {
        said += String(text);
        if (said === 'open') setTimeout(() => child.kill('SIGKILL'), random() * withinMs);
      });
      child.once('close', () => done());
    });
    if (!said.includes('whole')) cut += 1;
    const file = Math.floor(random() * files);
    writeFileSync(join(tree.path, pathOf(file)), textOf(file));
  }
  const place = { root: tree.path, key: '', isWithheld: () => false };
  using killed = openFinder({ ...place, path });
  using fresh = openFinder({ ...place, path: join(home, 'fresh.db') });
  const { signal } = new AbortController();
  await killed.update({ signal });
  await fresh.update({ signal });
  let found = 0;
  const differ = questions.flatMap((question) => {
    const wanted = fresh.answer(question, Number.NEGATIVE_INFINITY);
    const got = killed.answer(question, Number.NEGATIVE_INFINITY);
    found += wanted?.paths.length ?? 0;
    const what = got === undefined ? 'no answer to' : 'another answer to';
    const isSame = JSON.stringify(got) === JSON.stringify(wanted);
    return isSame ? [] : [`${what} ${JSON.stringify(question)}`];
  });
  return { cut, found, differ };
}
