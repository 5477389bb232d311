import { expect, it } from 'vitest';
import { meaningSigns } from './meaning-signs.ts';

/** Alike is what says so. */
const asked = (text: string): number => (text.includes('alike') ? 0.9 : -0.2);
/** Near is a block that holds the name. */
const nearest = (text: string): number => (text.includes('findAlike') ? 0.7 : -0.1);
const all = { asked, nearest };

it('meaningSigns() tells blocks, their names and what is near apart', () => {
  const regions = [{ text: 'function findAlike() {\n  return 1; // all alike\n}\n' }];
  const signs = meaningSigns({ path: 'a.ts', score: 1, regions }, all);
  expect(signs.blocks).toBeCloseTo(0.3);
  expect(signs.outline).toBe(0);
  expect(signs.nearest).toBe(0.7);
});

it('meaningSigns() is never below 0, and 0 where there is nothing', () => {
  const none = { blocks: 0, outline: 0, nearest: 0 };
  const other = [{ text: 'const other = 1;' }];
  expect(meaningSigns({ path: 'a', score: 1, regions: [] }, all)).toEqual(none);
  expect(meaningSigns({ path: 'a', score: 1, regions: other }, all)).toEqual(none);
});

it('meaningSigns() asks for a block in all ways before the next one', () => {
  const calls: string[] = [];
  const noting = (way: string) => (text: string) => {
    calls.push(`${way} ${text.includes('first') ? 'first' : 'second'}`);
    return 0;
  };
  const ways = { asked: noting('asked'), nearest: noting('nearest') };
  const regions = [{ text: '// first' }, { text: '// second' }];
  meaningSigns({ path: 'a', score: 1, regions }, ways);
  expect(calls).toEqual(['asked first', 'nearest first', 'asked second', 'nearest second']);
});
