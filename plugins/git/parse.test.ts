import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countAuthors, parseBlame } from './parse-blame.ts';
import { commitFormat, parseLog } from './parse-log.ts';
import { parseNumstat } from './parse-numstat.ts';
import { parseStatus } from './parse-status.ts';

/** Names that git would quote without `-z`. */
const odd = ['a b.txt', 'tab\there.txt', 'line\nbreak.txt', 'größe.txt', '"quoted".txt', '-dash'];
let folder = '';

function git(...args: string[]): string {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  const identity = ['-c', 'user.name=Ann Ä', '-c', 'user.email=ann@example.org'];
  const done = spawnSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8', env });
  if (done.status !== 0) throw new Error(done.stderr);
  return done.stdout;
}

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const status = () => parseStatus(git('status', '--porcelain=v2', '-z', '--branch'));

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'git-plugin-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('readers of what git prints', () => {
  it('read the state of a fresh repository', () => {
    git('init', '--quiet', '--initial-branch=main');
    for (const name of odd) write(name, name === 'a b.txt' ? 'one\n' : `all of ${name}\n`);
    expect(status()).toMatchObject({ branch: 'main' });
    expect(status().commit).toBeUndefined();
    expect(
      status()
        .entries.map(({ path }) => path)
        .toSorted(),
    ).toEqual(odd.toSorted());
    git('add', '--all');
    expect(status().entries[0]).toMatchObject({ staged: 'added' });
    git('commit', '--quiet', '-m', 'One: a subject', '-m', 'A body\nof two lines.');
    expect(status()).toMatchObject({
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      entries: [],
    });
  });

  it('read changes, renames and removals with odd names', () => {
    mkdirSync(join(folder, 'dir'));
    renameSync(join(folder, 'line\nbreak.txt'), join(folder, 'dir/x y.txt'));
    git('add', '--all');
    write('a b.txt', 'one\ntwo\n');
    rmSync(join(folder, '"quoted".txt'));
    write('bin', '\0\u0001');
    git('add', 'bin');
    expect(status().entries).toEqual(
      expect.arrayContaining([
        { path: 'dir/x y.txt', from: 'line\nbreak.txt', staged: 'renamed' },
        { path: 'a b.txt', unstaged: 'modified' },
        { path: '"quoted".txt', unstaged: 'deleted' },
        { path: 'bin', staged: 'added' },
      ]),
    );
    expect(parseNumstat(git('diff', '--numstat', '-z', 'HEAD'))).toEqual(
      expect.arrayContaining([
        { path: 'a b.txt', added: 1, removed: 0 },
        { path: 'bin' },
        { path: 'dir/x y.txt', from: 'line\nbreak.txt', added: 0, removed: 0 },
      ]),
    );
    git('add', '--all');
    git('commit', '--quiet', '-m', 'Two');
  });

  it('read commits, newest first, with bodies and refs', () => {
    git('tag', 'v1');
    const [two, one, ...none] = parseLog(git('log', '-z', `--format=${commitFormat}`));
    expect(none).toEqual([]);
    expect(two).toMatchObject({ subject: 'Two', author: 'Ann Ä', email: 'ann@example.org' });
    expect(two?.refs).toEqual(['HEAD -> main', 'tag: v1']);
    expect(one).toMatchObject({ subject: 'One: a subject', body: 'A body\nof two lines.' });
    expect(Date.parse(one?.date ?? '')).toBeGreaterThan(0);
  });

  it('read who wrote each line', () => {
    write('a b.txt', 'one\ntwo\n\tthree author x\n');
    const lines = parseBlame(git('blame', '--porcelain', '--', 'a b.txt'));
    expect(lines.map(({ line, text, summary }) => [line, text, summary.slice(0, 3)])).toEqual([
      [1, 'one', 'One'],
      [2, 'two', 'Two'],
      [3, '\tthree author x', 'Ver'],
    ]);
    expect(lines[2]?.hash).toMatch(/^0{40}$/);
    expect(lines[0]?.author).toBe('Ann Ä');
    expect(countAuthors(lines)).toMatchObject([{ author: 'Ann Ä', lines: 2 }, { lines: 1 }]);
  });

  it('count lines by author, most first, with the day of the newest', () => {
    const line = (author: string, time: number) => ({
      ...{ line: 1, hash: '', summary: '', text: '' },
      ...{ author, time },
    });
    const lines = [line('B', 0), line('A', 951_782_400), line('B', 1_763_769_600)];
    expect(countAuthors(lines)).toEqual([
      { author: 'B', lines: 2, date: '2025-11-22' },
      { author: 'A', lines: 1, date: '2000-02-29' },
    ]);
  });

  it('read a detached head and a conflict', () => {
    git('checkout', '--quiet', '--', '.');
    git('checkout', '--quiet', '--detach');
    expect(status().branch).toBeUndefined();
    git('checkout', '--quiet', '-b', 'side', 'HEAD~1');
    write('a b.txt', 'other\n');
    git('commit', '--quiet', '--all', '-m', 'Side');
    expect(() => git('merge', 'main')).toThrow();
    expect(status().entries).toContainEqual({ path: 'a b.txt', staged: 'unmerged' });
  });
});
