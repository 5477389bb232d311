import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, it, vi } from 'vitest';
import { openTempTree, wholeWalk } from '../../tests/support/temp-tree.ts';
import { openFinder } from './open-finder.ts';
import type { FinderQuestion } from './parse-question.ts';

const { signal } = new AbortController();
const now = (): number => performance.now();
const scan = (pattern: string): FinderQuestion => ({
  call: 'scan',
  start: '',
  options: {
    ...{ walk: { ...wholeWalk, hidden: true }, pattern, literal: true, caseInsensitive: false },
    ...{ before: 0, after: 0, limit: 10 },
  },
});

/** What another version wrote means something else: here, no file holds a text. */
function makeOther(path: string): void {
  const table = new BetterSqlite3(path);
  table.exec("INSERT INTO text (text) VALUES ('delete-all')");
  table.pragma('user_version = 99');
  table.close();
}

function openBed(files: Readonly<Record<string, string>>) {
  const stack = new DisposableStack();
  const tree = stack.use(openTempTree(files));
  const home = mkdtempSync(join(tmpdir(), 'finder-'));
  stack.defer(() => rmSync(home, { recursive: true }));
  const path = join(home, 'files.db');
  const open = (key: string, isWithheld: (path: string) => boolean = () => false) =>
    openFinder({ path, root: tree.path, key, isWithheld });
  const bytes = (): string =>
    ['', '-wal'].map((end) => readFileSync(path + end, 'latin1')).join('');
  return { tree, path, open, bytes, [Symbol.dispose]: () => stack.dispose() };
}

it('an index holds nothing of what is withheld, and forgets it with the list', async () => {
  using bed = openBed({ 'key.pem': 'q9zw8\n', 'a.ts': 'jx7vu\n', 'b.ts': 'plain\n' });
  {
    using finder = bed.open('without', (path) => path === 'key.pem');
    await finder.update({ signal });
    expect(bed.bytes()).toContain('jx7');
    expect(bed.bytes()).not.toContain('q9z');
    expect(finder.answer(scan('q9zw8'), now())?.paths).toEqual([]);
  }
  // Now a.ts is withheld as well.
  using finder = bed.open('with', (path) => path !== 'b.ts');
  await finder.update({ signal });
  expect(bed.bytes()).not.toContain('jx7');
  expect(finder.answer(scan('jx7vu'), now())?.paths).toEqual([]);
  expect(finder.answer(scan('plain'), now())?.paths).toEqual(['b.ts']);
});

it.each([
  ['damaged', (path: string) => writeFileSync(path, Buffer.alloc(8192, 'not a database'))],
  ['empty', (path: string) => writeFileSync(path, '')],
  ['cut off', (path: string) => writeFileSync(path, 'SQLite format 3\0')],
  ['half of its length', (path: string) => truncateSync(path, statSync(path).size / 2)],
  ['of another version', makeOther],
])('an index that is %s is made anew', async (_, spoil) => {
  using bed = openBed({ 'a.ts': 'plain\n', 'b.ts': 'other\n' });
  {
    using finder = bed.open('');
    await finder.update({ signal });
  }
  spoil(bed.path);
  using finder = bed.open('');
  await finder.update({ signal });
  expect(finder.answer(scan('plain'), now())?.paths).toEqual(['a.ts']);
});

it('two that write at once lose nothing of each other', async () => {
  using bed = openBed(
    Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`f${n}.ts`, `word${n}x\n`])),
  );
  using one = bed.open('');
  using other = bed.open('');
  await Promise.all([one.update({ signal }), other.update({ signal })]);
  for (const finder of [one, other])
    expect(finder.answer(scan('word77x'), now())?.paths).toEqual(['f77.ts']);
});

it('an index whose list of files was cut short is listed again by the next update', async () => {
  using bed = openBed({ 'a.ts': 'plain\n', 'b.ts': 'other\n' });
  {
    using finder = bed.open('');
    await finder.update({ signal });
  }
  const table = new BetterSqlite3(bed.path);
  table.exec("UPDATE state SET value = 1 WHERE name = 'partial'");
  // As long after the change as it takes for folders to stand.
  const { ctimeMs } = statSync(bed.tree.path);
  table.prepare("UPDATE folder SET sight = json_set(sight, '$.ctimeMs', ?)").run(ctimeMs);
  table.close();
  using finder = bed.open('');
  expect(finder.answer(scan('plain'), Number.NEGATIVE_INFINITY)).toBeUndefined();
  await finder.update({ signal });
  expect(finder.answer(scan('plain'), now())?.paths).toEqual(['a.ts']);
});

it('a list that is cut short before an answer forgets no file', async () => {
  const many = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`f${n}.ts`, 'other\n']));
  using bed = openBed({ ...many, 'last.ts': 'plain\n' });
  using finder = bed.open('');
  // A file that was read just after its change is read again.
  const later = Date.now() + 60_000;
  const date = vi.spyOn(Date, 'now').mockReturnValue(later);
  expect(await finder.update({ signal })).toMatchObject({ read: 2001 });
  date.mockRestore();
  bed.tree.write({ 'new.ts': 'plain\n' });
  const inHaste = (work: () => void): void => {
    let seconds = 0;
    const clock = vi.spyOn(process, 'hrtime').mockImplementation(() => {
      seconds += 4;
      return [seconds, 0];
    });
    work();
    clock.mockRestore();
  };
  inHaste(() => expect(finder.answer(scan('plain'), now())).toBeUndefined());
  expect(finder.state()).toEqual({ files: 2001, stale: 1, gone: 0 });
  inHaste(() => finder.updateFolders(new Set([''])));
  finder.setCaughtUp(true);
  expect(finder.isCaughtUp()).toBe(false);
  expect(finder.state()).toEqual({ files: 2001, stale: 1, gone: 0 });
  await finder.update({ signal });
  finder.setCaughtUp(true);
  expect(finder.isCaughtUp()).toBe(true);
  expect(finder.answer(scan('plain'), now())?.paths).toEqual(['last.ts', 'new.ts']);
});

it('a file of 1 GB is not read, and no search finds less for it', async () => {
  const others = Object.fromEntries(['b', 'c', 'd', 'e'].map((name) => [`${name}.ts`, 'other\n']));
  using bed = openBed({ 'a.ts': 'plain\n', ...others, 'huge.ts': '' });
  truncateSync(join(bed.tree.path, 'huge.ts'), 1024 ** 3);
  bed.tree.write({ 'long.ts': `${'x'.repeat(99)}\n`.repeat(50_000) });
  using finder = bed.open('');
  const { files } = await finder.update({ signal });
  expect(files).toBe(7);
  // Above 4 MB each search looks itself; above 50 MB none does.
  const known = finder.answer(scan('plain'), Number.NEGATIVE_INFINITY);
  expect(known?.paths).toEqual(['a.ts', 'long.ts']);
  expect(statSync(bed.path).size).toBeLessThan(1_000_000);
});

it('a name that is not UTF-8 leaves all to the searches, until it is gone', async () => {
  using bed = openBed({ 'a.ts': 'plain\n', 'b.ts': 'other\n' });
  const odd = Buffer.concat([Buffer.from(`${bed.tree.path}/`), Buffer.from([0x6e, 0xff])]);
  writeFileSync(odd, 'plain\n');
  using finder = bed.open('');
  await finder.update({ signal });
  expect(finder.answer(scan('plain'), now())).toBeUndefined();
  rmSync(odd);
  expect(finder.answer(scan('plain'), now())?.paths).toEqual(['a.ts']);
});

it('a file that changes while it is read is found by what it holds in the end', async () => {
  using bed = openBed({ 'a.ts': 'before\n', 'b.ts': 'other\n', 'c.ts': 'other\n' });
  let [changes, isChanging] = [0, true];
  // Asked after the first look at the file, and again when it was read.
  using finder = bed.open('', (name) => {
    if (name !== 'a.ts' || !isChanging) return false;
    changes += 1;
    writeFileSync(join(bed.tree.path, name), `change${changes}\n`);
    return false;
  });
  await finder.update({ signal });
  expect(changes).toBeGreaterThan(1);
  isChanging = false;
  expect(finder.answer(scan(`change${changes}`), now())?.paths).toEqual(['a.ts']);
  expect(finder.answer(scan('before'), now())?.paths).toEqual([]);
});
