import { expect, it } from 'vitest';
import { meaningSigns } from './meaning-signs.ts';

/** Alike is what says so. */
const asked = (text: string): number => (text.includes('alike') ? 0.9 : -0.2);
const words = (text: string): number => (text === 'findAlike' ? 0.6 : 0);
const both = { asked, words };

it('meaningSigns() tells blocks, names and head apart', () => {
  const regions = [{ text: 'function findAlike() {\n  return 1;\n}\n' }];
  const signs = meaningSigns({ path: 'a.ts', score: 1, head: 'is alike', regions }, both);
  expect(signs.head).toBe(0.9);
  expect(signs.names).toBeCloseTo(0.2);
  expect(signs.outline).toBe(0);
});

it('meaningSigns() is never below 0, and 0 where there is nothing', () => {
  const none = { blocks: 0, names: 0, outline: 0, head: 0 };
  const other = [{ text: 'const other = 1;' }];
  expect(meaningSigns({ path: 'a', score: 1, regions: [] }, both)).toEqual(none);
  expect(meaningSigns({ path: 'a', score: 1, head: 'x', regions: other }, both)).toEqual(none);
});
