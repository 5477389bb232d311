import { describe, expect, it } from 'vitest';
import { ownScriptFirst } from './own-script-first.ts';

const ranked = [
  { path: 'src/retry.ts', score: 3 },
  { path: 'docs/cjk.md', score: 1 },
];
const found = [
  { path: 'src/retry.ts', regions: [{ text: 'const maxRetries = 7; // 重试' }] },
  { path: 'docs/cjk.md', regions: [{ text: '重试次数上限是七次。' }] },
];
const paths = (question: string) => ownScriptFirst(ranked, found, question).map(({ path }) => path);

describe('ownScriptFirst()', () => {
  it('puts a text in the script of the question in front of code', () => {
    expect(paths('retry limit 重试次数上限')).toEqual(['docs/cjk.md', 'src/retry.ts']);
  });

  it('leaves the order where the question is English, or no text says the same', () => {
    expect(paths('where is the retry limit?')).toEqual(['src/retry.ts', 'docs/cjk.md']);
    expect(paths('retry window 重试窗口大小')).toEqual(['src/retry.ts', 'docs/cjk.md']);
  });
});
