import { expect, it } from 'vitest';
import { meaningSigns } from './meaning-signs.ts';

/** Alike is what says so. */
const asked = (text: string): number => (text.includes('alike') ? 0.9 : -0.2);
/** Two words: near is what holds the one, and the other. */
const nearest = (text: string): number[] => [
  text.includes('findAlike') ? 0.7 : 0,
  text.includes('a.ts') ? 0.5 : 0.1,
];
const all = { asked, nearest };

it('meaningSigns() tells blocks, their names and what is near apart', () => {
  const regions = [{ text: 'function findAlike() {\n  return 1; // all alike\n}\n' }];
  const signs = meaningSigns({ path: 'a.ts', score: 1, regions }, all);
  expect(signs.blocks).toBeCloseTo(0.3);
  expect(signs.outline).toBe(0);
  expect(signs.nearest).toBeCloseTo(0.6);
});

it('meaningSigns() looks for a word in a block and in what stands above it: path, names, first lines', () => {
  const nearestOf = (path: string, ...texts: string[]) => {
    const regions = texts.map((text) => ({ text }));
    return meaningSigns({ path, score: 1, regions }, all).nearest;
  };
  expect(nearestOf('a.ts', 'const other = 1;')).toBeCloseTo(0.25);
  expect(nearestOf('b.ts', 'const other = 1;')).toBeCloseTo(0.05);
  expect(nearestOf('b.ts', '// findAlike', 'const other = 1; // a.ts')).toBeCloseTo(0.6);
  const lines = 'const other = 1;\n'.repeat(200);
  expect(nearestOf('b.ts', `${lines}// findAlike\n`, `${lines}// a.ts\n`)).toBeCloseTo(0.4);
  expect(nearestOf('b.ts', `${lines}function findAlike() {}\n`, `${lines}// a.ts\n`)).toBeCloseTo(
    0.6,
  );
  expect(nearestOf('b.ts', "import { findAlike } from 'b';\n", 'const c = 1;')).toBeCloseTo(0.4);
  expect(nearestOf('b.ts', "import { findAlike } from 'b';\n", `${lines}// a.ts\n`)).toBeCloseTo(
    0.4,
  );
});

it('meaningSigns() is never below 0, and 0 where there is nothing', () => {
  const none = { blocks: 0, outline: 0, nearest: 0 };
  const other = [{ text: 'const other = 1;' }];
  expect(meaningSigns({ path: 'a', score: 1, regions: [] }, all)).toEqual(none);
  const far = { asked, nearest: () => [0, 0] };
  expect(meaningSigns({ path: 'a', score: 1, regions: other }, far)).toEqual(none);
});

it('meaningSigns() asks for a block in all ways before the next one', () => {
  const calls: string[] = [];
  const noting = (way: string) => (text: string) => {
    calls.push(`${way} ${text.includes('first') ? 'first' : 'second'}`);
    return 0;
  };
  const near = noting('nearest');
  const ways = { asked: noting('asked'), nearest: (text: string) => [near(text)] };
  const regions = [{ text: '// first' }, { text: '// second' }];
  meaningSigns({ path: 'a', score: 1, regions }, ways);
  // What stands above all blocks comes first.
  expect(calls.slice(1)).toEqual([
    'asked first',
    'nearest first',
    'asked second',
    'nearest second',
  ]);
});
