import { describe, expect, it } from 'vitest';
import { groupMatches } from './group-matches.ts';

const file = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
const match = (path: string, line: number, context: number) => ({
  ...{ path, line, text: `line ${line}` },
  before: file.slice(Math.max(0, line - 1 - context), line - 1),
  after: file.slice(line, line + context),
});

describe('groupMatches()', () => {
  it('makes one block of matches whose surroundings overlap or touch, each line once', () => {
    const found = groupMatches([match('a', 3, 1), match('a', 4, 1), match('a', 7, 1)]);
    expect(found).toEqual([
      {
        path: 'a',
        matches: 3,
        blocks: [
          {
            ...{ line: 2, endLine: 8, hits: [3, 4, 7] },
            text: file.slice(1, 8).join('\n'),
          },
        ],
      },
    ]);
  });

  it('keeps what lies apart apart, and files by themselves', () => {
    const found = groupMatches([match('a', 1, 1), match('a', 9, 1), match('b', 2, 0)]);
    expect(
      found.map(({ path, matches, blocks }) => [
        path,
        matches,
        ...blocks.map(({ line, endLine }) => [line, endLine]),
      ]),
    ).toEqual([
      ['a', 2, [1, 2], [8, 10]],
      ['b', 1, [2, 2]],
    ]);
  });

  it('adds nothing for a match whose surroundings are all there', () => {
    const [found] = groupMatches([match('a', 5, 3), { ...match('a', 6, 0), after: [] }]);
    expect(found?.blocks).toEqual([
      { line: 2, endLine: 8, hits: [5, 6], text: file.slice(1, 8).join('\n') },
    ]);
  });
});
