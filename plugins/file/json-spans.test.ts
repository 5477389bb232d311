import { describe, expect, it } from 'vitest';
import { itemSpans, memberSpans, valueSpan } from './json-spans.ts';

const cut = (text: string, { start, end }: { start: number; end: number }) =>
  text.slice(start, end);

describe('memberSpans()', () => {
  it('gives the place of each value as it is written', () => {
    const text = ' { "a\\"b" : [1, {"c": "]}\\\\"}] ,\n"d":-1.50e3,"e":{}, "f" : null } ';
    const members = [...memberSpans(text, valueSpan(text, 0))];
    expect(members.map(([name, { value }]) => [name, cut(text, value)])).toEqual([
      ['a"b', '[1, {"c": "]}\\\\"}]'],
      ['d', '-1.50e3'],
      ['e', '{}'],
      ['f', 'null'],
    ]);
  });

  it('gives the last of two members of one name, as JSON.parse does', () => {
    const text = '{"a":1,"a":2}';
    const value = memberSpans(text, valueSpan(text, 0)).get('a')?.value;
    expect(value && cut(text, value)).toBe(String((JSON.parse(text) as { a: number }).a));
  });
});

describe('itemSpans()', () => {
  it.each([
    ['[]', []],
    ['[ \n ]', []],
    ['[1 , "a,]" ,[[]],true]', ['1', '"a,]"', '[[]]', 'true']],
  ])('gives the items of %s', (text, items) => {
    expect(itemSpans(text, valueSpan(text, 0)).map((span) => cut(text, span))).toEqual(items);
  });
});
