import { describe, expect, it } from 'vitest';
import { shallowJson } from './shallow-json.ts';

const parse = shallowJson(JSON.parse);
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('shallowJson()', () => {
  it.each([
    ['lists', nested(2001)],
    ['objects', `${'{"a":'.repeat(2001)}1${'}'.repeat(2001)}`],
    ['what is never closed', '['.repeat(3000)],
    ['what stands behind a text with quotes', `["\\\\\\"]",${nested(2001)}]`],
  ])('throws for %s that are nested too deep', (_, text) => {
    expect(() => parse(text)).toThrow(SyntaxError);
  });

  it.each([
    ['as many lists beside each other', `[${Array(5000).fill('[]').join()}]`],
    ['brackets in a text', JSON.stringify({ a: '['.repeat(5000), b: ['"\\', '{'.repeat(5000)] })],
    ['what is nested less', nested(2000)],
  ])('reads %s', (_, text) => {
    expect(JSON.stringify(parse(text))).toBe(text);
  });

  it('passes the reviver on, and turns other values into text', () => {
    expect(parse('[1]', (_, value) => (value === 1 ? 2 : value))).toEqual([2]);
    expect(parse(7 as unknown as string)).toBe(7);
  });
});
