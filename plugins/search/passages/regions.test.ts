import { expect, it } from 'vitest';
import { lineStarts } from './find-hits.ts';
import { regionsOf } from './regions.ts';

const lines = (count: number, text = 'x'): string =>
  Array.from({ length: count }, (_, at) => `${text}${at + 1}`).join('\n');
const ranked = (text: string, at: readonly number[]) => ({
  path: 'a.ts',
  score: 3,
  windows: at.map((line) => ({ line, length: 1, score: 1, order: 0 })),
  text: { text, starts: lineStarts(text), hits: [], generated: false },
});

it('regionsOf() gives a file of usual length as a whole', () => {
  const text = lines(200);
  expect(regionsOf(ranked(text, [121])).regions).toEqual([{ line: 1, text }]);
});

it('regionsOf() joins windows of a longer file that touch, and gives each line once', () => {
  const filler = 'z'.repeat(160);
  const text = lines(200, filler);
  const { regions } = regionsOf(ranked(text, [121, 31, 1]));
  expect(regions.map(({ line }) => line)).toEqual([1, 121]);
  expect(regions[0]?.text.trimEnd()).toBe(lines(70, filler));
  expect(regions[1]?.text.trimEnd().split('\n')).toHaveLength(40);
});

it('regionsOf() is bounded for files of long lines, and empty without a text', () => {
  const long = lines(80, 'y'.repeat(2000));
  const size = regionsOf(ranked(long, [1, 31])).regions.reduce(
    (sum, { text }) => sum + text.length,
    0,
  );
  expect(size).toBe(18_000);
  const { text: _, ...unread } = ranked('', [1]);
  expect(regionsOf(unread)).toEqual({ path: 'a.ts', score: 3, regions: [] });
});

it.each([
  ['of three bytes', '検索'],
  ['of four bytes', '🦜🦜'],
  ['that JSON spells out', '\u0001\u0002'],
])('regionsOf() is bounded in bytes, too, for characters %s', (_, text) => {
  const file = ranked(lines(400, text.repeat(20)), [1, 41, 81, 121, 161, 201, 241, 281, 321, 361]);
  const { regions } = regionsOf(file);
  expect(Buffer.byteLength(JSON.stringify(regions))).toBeLessThanOrEqual(22_500);
  expect(regions[0]?.text.length).toBeGreaterThan(2000);
  expect(regions.every((region) => region.text.isWellFormed())).toBe(true);
});
