import { describe, expect, it } from 'vitest';
import { cutPassages } from './cut-passages.ts';
import { parseQuestion } from './parse-question.ts';
import { readHits } from './read-hits.ts';
import { weighTerms } from './term-weights.ts';

/** The best passage of a file that is looked at as a whole. */
function bestOf(path: string, lines: readonly string[], question: string) {
  const { terms } = parseQuestion(question);
  const text = readHits(lines.join('\n'), terms, path.endsWith('.md'));
  const windows = [{ line: 1, length: 1, score: 1, order: 0 }];
  const tally = { windows: [], total: 10, holding: [], meanLength: 40 };
  const weights = weighTerms(terms, [], tally as unknown as Parameters<typeof weighTerms>[2]);
  return cutPassages({ path, score: 1, windows, text }, weights, 1)[0];
}

const filler = Array.from({ length: 8 }, (_, at) => `    step(${at});`);

describe('cutPassages()', () => {
  it.each([
    ['a.ts', ['export function readAll(): void {', ...filler, '    parse(bulk);', '}'], 'readAll'],
    ['a.c', ['static int', 'read_all(void)', '{', ...filler, '    bulk();', '}'], 'read_all'],
    ['a.py', ['class Store:', '  def load(self):', ...filler, '    bulk()'], 'load'],
    ['a.py', ['def load(', '    path,', '):', ...filler, '    bulk()'], 'load'],
    ['a.ts', ['const all = make(', '  1,', ...filler, '    bulk,', ');'], undefined],
    ['a.ts', [...filler, 'bulk();'], undefined],
    ['a.md', ['# Loading', ...filler, '', 'A bulk is loaded.'], 'Loading'],
  ])('says what lines of %s stand in: %j', (path, lines, within) => {
    const found = bestOf(path, lines, 'where is the bulk?');
    expect(found?.text).toContain('bulk');
    expect(found?.within).toBe(within);
  });

  it('takes a section with what stands below its heading, up to the next one as high', () => {
    const lines = ['## Bulk', '', '### By hand', '', 'Run it.', '', '## Other', '', 'text'];
    expect(bestOf('a.md', lines, 'where is the bulk?')).toMatchObject({ line: 1, endLine: 5 });
    const over = ['Bulk', '====', '', 'Run it.', '', 'Other', '=====', '', 'text'];
    expect(bestOf('a.md', over, 'where is the bulk?')).toMatchObject({ line: 1, endLine: 4 });
  });

  it('prefers the heading that says what is asked and no more', () => {
    const most = ['## Limits of bulk', '', 'bulk, bulk, bulk', 'bulk and bulk', ''];
    const found = bestOf('a.md', [...most, '## Bulk', '', 'It loads all.'], 'what is bulk?');
    expect(found).toMatchObject({ line: 6 });
  });

  it('prefers lines that decide among those with the same words', () => {
    const told = ['bulk: limit,', ...Array(20).fill('x,')];
    const decided = ['function check(): boolean {', '  if (bulk > limit) return false;', '}'];
    const found = bestOf('a.ts', [...told, '', ...decided], 'what is the bulk limit?');
    expect(found?.text).toContain('if (bulk > limit)');
  });
});
