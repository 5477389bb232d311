import { expect, it } from 'vitest';
import type { Row } from '../contracts/agent.ts';
import { rowsText } from './rows-text.ts';

const row = (path: string, line: number, more: Partial<Row> = {}): Row => ({
  ...{ path, line, endLine: line, text: `  call(${line});`, score: 0 },
  ...more,
});
const title = '3 references to call';
const draw = (pieces: readonly Row[], columns?: number): string[] =>
  rowsText({ title, tool: 'search.references', pieces }, columns).split('\n');

it('rowsText() gives a line for each place, with what is around it', () => {
  const pieces = [row('a.ts', 3, { within: 'open' }), row('b.ts', 4, { text: 'call(\n  4)' })];
  expect(draw(pieces)).toEqual([`${title}:`, '  a.ts:3  open: call(3);', '  b.ts:4  call( 4)']);
});

it('rowsText() says how many are left out, and cuts at the columns', () => {
  const pieces = Array.from({ length: 30 }, (_, at) => row('a.ts', at + 1));
  const drawn = draw(pieces, 12);
  expect(drawn).toHaveLength(20);
  expect(drawn.at(-1)).toBe('  (12 more)');
  expect(drawn.every((line, at) => at === 0 || line.length <= 12)).toBe(true);
});

it('rowsText() puts a file first that has most of them, and shows more of it', () => {
  const path = (name: string) => `project/src/main/java/org/example/project/${name}.java`;
  const pieces = [
    ...Array.from({ length: 4 }, (_, at) => row(path('Some'), at + 1)),
    ...Array.from({ length: 20 }, (_, at) => row(path('Most'), at + 1)),
  ];
  const drawn = draw(pieces);
  expect(drawn[1]).toBe(`  ${path('Most')}`);
  expect(drawn.filter((line) => line.startsWith('    '))).toHaveLength(17);
});

it('rowsText() keeps sources before a test that has most of them', () => {
  const path = (name: string) => `project/packages/core/source/of/everything/${name}`;
  const pieces = [
    row(path('open.ts'), 3),
    ...Array.from({ length: 20 }, (_, at) => row(path('tests/open.test.ts'), at + 1)),
  ];
  const drawn = draw(pieces);
  expect(drawn[1]).toBe(`  ${path('open.ts')}`);
  expect(drawn).toContain(`  ${path('tests/open.test.ts')}`);
});

it('rowsText() puts places below long paths, so that their text is seen', () => {
  const path = 'project/src/main/java/org/example/project/Reader.java';
  expect(draw([row(path, 3), row(path, 9)])).toEqual([
    `${title}:`,
    `  ${path}`,
    '    3  call(3);',
    '    9  call(9);',
  ]);
});
