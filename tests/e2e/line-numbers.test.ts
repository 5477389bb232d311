import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMaker, type Maker } from '../support/git-repositories.ts';
import { openPlace, type Place } from '../support/place.ts';
import { runMany } from '../support/run-many.ts';

/** What some program takes for the end of a line; git takes a line feed alone. */
const separators = ['\n', '\r\n', '\r', '\r\r\n', '\n\r', '\u2028', '\u0085', '\f', '\v', '\n\n'];
const numFiles = 24;
const marksOfFile = 9;

/** `mark_F_N` are unique; each is a definition, a marker and a word. */
const files = fc
  .sample(
    fc.record({
      begin: fc.constantFrom('', '', '\uFEFF', '\n', '\r'),
      separators: fc.array(fc.constantFrom(...separators), {
        minLength: marksOfFile,
        maxLength: marksOfFile,
      }),
      end: fc.constantFrom('', '\n', '\r\n', '\r'),
    }),
    { seed: 20261128, numRuns: numFiles },
  )
  .map(({ begin, separators: between, end }, file) => {
    const marks = between.map(
      (separator, at) =>
        `${at === 0 ? '' : separator}export const mark_${file}_${at} = 1; // TODO mark_${file}_${at}`,
    );
    return { path: `f${file}.ts`, text: `${begin}${marks.join('')}${end}` };
  });

/** `PATH:LINE:NAME`, each as often as one of its lines names it. */
type Places = readonly string[];

const namesIn = (path: string, line: number, text: string): string[] =>
  [...text.matchAll(/mark_\d+_\d+/g)].map(([name]) => `${path}:${line}:${name}`);

const unique = (places: Places): string[] => [...new Set(places)].sort();

type Line = { path: string; line: number; text: string };

describe('the number of a line', () => {
  let place: Place;
  let maker: Maker;
  /** by `git grep`, which is asked instead of us */
  let wanted: string[];

  beforeAll(() => {
    place = openPlace({});
    const home = join(place.home, 'git');
    mkdirSync(home, { recursive: true });
    maker = createMaker(place.work, place.home, home);
    maker.git('init', '--quiet');
    maker.git('config', 'user.name', 'Ann');
    maker.git('config', 'user.email', 'ann@example.org');
    for (const { path, text } of files) maker.write(path, text);
    maker.commit('lines');
    const found = maker.git('grep', '--text', '-n', '-o', 'mark_[0-9]*_[0-9]*').split('\n');
    wanted = unique(found.filter(Boolean));
  });
  afterAll(() => place[Symbol.dispose]());

  const run = async (tool: string, inputs: readonly object[], allow = ['fs:work', 'exec:git']) => {
    const ended = await runMany(place, tool, inputs as never, allow);
    expect(ended.map(({ message }) => message).filter(Boolean)).toEqual([]);
    return ended.map(({ content }) => content as Record<string, never>);
  };
  const eachFile = (more: object = {}) => files.map(({ path }) => ({ path, ...more }));
  const linesOf = (path: string, first: number, text: string) =>
    text.split('\n').flatMap((line, at) => namesIn(path, first + at, line));
  const ofLines = (lines: readonly Line[]) =>
    lines.flatMap(({ path, line, text }) => namesIn(path, line, text));
  const ofNames = (found: readonly { path: string; line: number; name: string }[]) =>
    found.map(({ path, line, name }) => `${path}:${line}:${name}`);

  it('is in search.grep that of git grep', async () => {
    const [grep] = await run('search.grep', [{ pattern: 'mark_', limit: 1000, before: 1 }]);
    const matches = (grep?.matches ?? []) as (Line & { before: string[] })[];
    expect(unique(ofLines(matches))).toEqual(wanted);
    const before = matches.flatMap(({ path, line, before }) =>
      before.flatMap((text) => namesIn(path, line - 1, text)),
    );
    expect(before.length).toBeGreaterThan(20);
    expect(before.filter((each) => !wanted.includes(each))).toEqual([]);
  });

  it('is in a pattern with ^ and . that of git grep', async () => {
    const pattern = '^.?export.*mark_[0-9]*_[0-9]*..?export';
    const [grep] = await run('search.grep', [{ pattern, limit: 1000 }]);
    const found = maker.git('grep', '--text', '-n', '-E', pattern).split('\n').filter(Boolean);
    const lines = ((grep?.matches ?? []) as Line[]).map(({ path, line }) => `${path}:${line}`);
    expect(lines.sort()).toEqual(found.map((row) => row.split(':', 2).join(':')).sort());
    expect(lines.length).toBeGreaterThan(10);
  });

  it('is in file.read that of git grep', async () => {
    const read = await run('file.read', eachFile());
    expect(
      unique(read.flatMap(({ lines }, at) => linesOf(files[at]?.path ?? '', 1, lines ?? ''))),
    ).toEqual(wanted);
    const rows = wanted.map((each) => each.split(':'));
    const one = await run(
      'file.read',
      rows.map(([path, line]) => ({ path, start: Number(line), end: Number(line) })),
    );
    expect(one.map(({ lines }, at) => String(lines).includes(rows[at]?.[2] as string))).toEqual(
      rows.map(() => true),
    );
  });

  it('is in git.blame that of git grep', async () => {
    const blamed = await run('git.blame', eachFile());
    const found = blamed.flatMap(({ lines }, at) =>
      ofLines(
        (lines as unknown as Line[]).map((line) => ({ ...line, path: files[at]?.path ?? '' })),
      ),
    );
    expect(unique(found)).toEqual(wanted);
  });

  it('is in symbols, todos, references and passages one of git grep', async () => {
    const [symbols] = await run('search.symbols', [{ name: 'mark', limit: 1000 }]);
    const [todos] = await run('search.todos', [{}]);
    const names = ['mark_0_3', 'mark_1_4', 'mark_2_5', 'mark_3_8'];
    const used = await run(
      'search.references',
      names.map((name) => ({ name, definitions: true })),
    );
    const defined = await run(
      'search.definition',
      names.map((name) => ({ name })),
    );
    const asked = await run(
      'search.passages',
      names.map((name) => ({ question: `where is ${name}?` })),
    );
    const found = {
      symbols: ofNames((symbols?.symbols ?? []) as never),
      todos: ofLines((todos?.todos ?? []) as never),
      used: used.flatMap((each) => ofLines(Object.values(each).find(Array.isArray) ?? [])),
      defined: defined.flatMap((each) => {
        const rows = ((each as Record<string, unknown>).definitions ?? []) as Line[];
        return rows.flatMap(({ path, line, text }) => linesOf(path, line, text));
      }),
      asked: asked.flatMap(({ passages }) =>
        ((passages ?? []) as Line[]).flatMap(({ path, line, text }) => linesOf(path, line, text)),
      ),
    };
    for (const [tool, places] of Object.entries(found)) {
      expect([tool, places.filter((each) => !wanted.includes(each))]).toEqual([tool, []]);
      expect([tool, places.length > 0]).toEqual([tool, true]);
    }
  });

  it('is what file.edit-lines changes, and every other byte stays', async () => {
    const rows = unique(wanted.map((each) => each.split(':').slice(0, 2).join(':')));
    // The last line of each file that is named, and the first one with a mark.
    const inputs = files.flatMap(({ path, text }) => {
      const own = rows.filter((row) => row.startsWith(`${path}:`)).map((row) => row.split(':')[1]);
      const line = Number(own.sort((one, other) => Number(one) - Number(other))[own.length >> 1]);
      return [{ path, line, text }];
    });
    await run(
      'file.edit-lines',
      inputs.map(({ path, line }) => ({ path, start: line, end: line, text: 'new' })),
      ['fs:work', 'fs-write:work'],
    );
    for (const { path, line, text } of inputs) {
      const parts = text.split(/(?<=\n)/);
      const old = parts[line - 1] as string;
      const mark = line === 1 && old.startsWith('\uFEFF') ? '\uFEFF' : '';
      parts[line - 1] = `${mark}new${/\r?\n$/.exec(old)?.[0] ?? ''}`;
      expect([path, readFileSync(join(place.work, path), 'utf8')]).toEqual([path, parts.join('')]);
    }
  });
});
