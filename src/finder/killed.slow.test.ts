import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { numbersFrom } from '../../tests/support/edited-tree.ts';
import { openTempTree, wholeWalk } from '../../tests/support/temp-tree.ts';
import { openFinder } from './open-finder.ts';
import type { FinderQuestion } from './parse-question.ts';

const files = 1000;
const kills = 20;
const words = ['alpha', 'beta', 'gamma', 'delta'];
const key = '';

const scan = (pattern: string): FinderQuestion => {
  const options = { walk: wholeWalk, pattern, literal: true, caseInsensitive: false };
  return { call: 'scan', start: '', options: { ...options, before: 0, after: 0, limit: 100 } };
};
const tally: FinderQuestion = {
  call: 'tally',
  start: '',
  options: { walk: wholeWalk, words, window: 40, overlap: 10, limit: 50 },
};

it('an index whose maker is killed again and again ends up as a fresh one', async () => {
  const random = numbersFrom(7);
  const textOf = (file: number): string =>
    `${words.filter(() => random() < 0.3).join('\n')}\nfile${file}\n`.repeat(20);
  using tree = openTempTree();
  for (let file = 0; file < files; file += 1)
    tree.write({ [`folder-${file % 40}/file-${file}.ts`]: textOf(file) });
  const home = mkdtempSync(join(tmpdir(), 'finder-'));
  const path = join(home, 'files.db');
  const script = `
    import { openFinder } from ${JSON.stringify(join(import.meta.dirname, 'open-finder.ts'))};
    const [path, root] = process.argv.slice(1);
    const finder = openFinder({ path, root, key: '', isWithheld: () => false });
    process.stdout.write('open');
    await finder.update({ signal: new AbortController().signal });
    process.stdout.write(' whole');`;
  let cut = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const args = ['--input-type=module', '-e', script, path, tree.path];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (text) => {
        said += String(text);
        if (said === 'open') setTimeout(() => child.kill('SIGKILL'), random() * 120);
      });
      child.once('close', () => resolve());
    });
    if (!said.includes('whole')) cut += 1;
    const file = Math.floor(random() * files);
    writeFileSync(join(tree.path, `folder-${file % 40}/file-${file}.ts`), textOf(file));
  }
  expect(cut).toBeGreaterThan(2);
  const place = { root: tree.path, key, isWithheld: () => false };
  using killed = openFinder({ ...place, path });
  using fresh = openFinder({ ...place, path: join(home, 'fresh.db') });
  const { signal } = new AbortController();
  await killed.update({ signal });
  await fresh.update({ signal });
  for (const question of [scan('alpha'), scan('file77\n'.trim()), scan('delta\nfile'), tally]) {
    const wanted = fresh.answer(question, Number.NEGATIVE_INFINITY);
    expect(killed.answer(question, Number.NEGATIVE_INFINITY), JSON.stringify(question)).toEqual(
      wanted,
    );
    if (question.call === 'tally') expect(wanted?.paths.length).toBeGreaterThan(0);
  }
  rmSync(home, { recursive: true });
}, 120_000);
