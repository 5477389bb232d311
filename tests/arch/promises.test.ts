import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCases } from '../escape/support/read-cases.ts';

const root = resolve(import.meta.dirname, '../..');

type Row = { promise: string; keptBy: string; shownBy: string };

function rowsOf(page: string): Row[] {
  return [...page.matchAll(/^\| (.+) \| (.+) \| (.+) \|$/gm)]
    .map(([, promise = '', keptBy = '', shownBy = '']) => ({ promise, keptBy, shownBy }))
    .filter(({ promise }) => promise !== 'promise');
}

const textOf = (path: string): string | undefined =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;

/** What a row names and nothing holds. */
function missingOf({ promise, keptBy, shownBy }: Row): string[] {
  const code = [...keptBy.matchAll(/`((?:src|plugins|sdk)\/[^`]+)`(?: `(\w+)`)?/g)];
  const tests = [...shownBy.matchAll(/`((?:src|tests)\/[^`]+)`(?: "([^"]+)")?/g)];
  const gaps: string[] = [];
  if (code.length === 0) gaps.push(`"${promise}" names no code`);
  if (tests.length === 0) gaps.push(`"${promise}" names no test`);
  for (const [, path = '', name] of code) {
    const text = textOf(path);
    if (text === undefined) gaps.push(`there is no ${path}`);
    else if (name !== undefined && !new RegExp(`(function\\*?|class|const) ${name}\\b`).test(text))
      gaps.push(`${path} has no ${name}`);
  }
  for (const [, path = '', title] of tests) {
    const text = textOf(path);
    if (text === undefined) gaps.push(`there is no ${path}`);
    else if (title !== undefined && !text.includes(`('${title}'`))
      gaps.push(`${path} has no test "${title}"`);
    else if (title === undefined && !path.endsWith('.test.ts')) gaps.push(`${path} is not a test`);
  }
  return gaps;
}

const page = textOf('tests/escape/promises.md') ?? '';

describe('tests/escape/promises.md', () => {
  it('names code and tests that are there', () => {
    const rows = rowsOf(page);
    expect(rows.flatMap(missingOf)).toEqual([]);
    expect(rows.length).toBeGreaterThan(60);
  });

  it('names every file of the escape suite', () => {
    const files = [...new Set(readCases().map(({ file }) => file))];
    expect(files.length).toBeGreaterThan(40);
    expect(files.filter((file) => !page.includes(`tests/escape/${file}`))).toEqual([]);
  });

  it('is found wanting when a file, a function or a title is not there', () => {
    const row = (keptBy: string, shownBy: string): string[] =>
      missingOf({ promise: 'x', keptBy, shownBy });
    const code = '`src/policy/decide.ts` `decide`';
    const test = '`tests/escape/clock-watcher.test.ts` "clock without grant"';
    expect(row(code, test)).toEqual([]);
    expect(row('`src/policy/no.ts` `decide`', test)).toEqual(['there is no src/policy/no.ts']);
    expect(row('`src/policy/decide.ts` `no`', test)).toEqual(['src/policy/decide.ts has no no']);
    expect(row('nothing', test)).toEqual(['"x" names no code']);
    expect(row(code, test.replace('clock without', 'no'))).toEqual([
      'tests/escape/clock-watcher.test.ts has no test "no grant"',
    ]);
    expect(row(code, 'nothing')).toEqual(['"x" names no test']);
  });
});
