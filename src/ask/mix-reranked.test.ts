import { describe, expect, it } from 'vitest';
import { mixReranked } from './mix-reranked.ts';

const files = [
  { path: 'a', score: 1 },
  { path: 'b', score: 0.9 },
  { path: 'c', score: 0.5 },
];
const paths = (...args: Parameters<typeof mixReranked>) =>
  mixReranked(...args).map(({ path, score }) => `${path} ${score}`);

describe('mixReranked()', () => {
  it('swaps files that were close, and hands the scores on in their order', () => {
    const rerank = new Map([
      ['a', 0.1],
      ['b', 0.9],
      ['c', 0.2],
    ]);
    expect(paths(files, rerank, 0.3)).toEqual(['b 1', 'a 0.9', 'c 0.5']);
    expect(paths(files, rerank, 0.1)).toEqual(['a 1', 'b 0.9', 'c 0.5']);
  });

  it('leaves a file in its place that was not reached, and one alone', () => {
    expect(
      paths(
        files,
        new Map([
          ['a', 0],
          ['c', 9],
        ]),
        1,
      ),
    ).toEqual(['c 1', 'b 0.9', 'a 0.5']);
    expect(paths(files, new Map([['c', 9]]), 1)).toEqual(['a 1', 'b 0.9', 'c 0.5']);
  });
});
