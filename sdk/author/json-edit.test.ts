import { describe, expect, it } from 'vitest';
import { withFieldOf } from './json-edit.ts';

const cases = `[
    {"name": "a",   "input": {"n": 1},
     "expect": { "content": [1,2] } },

    {
    \t"name": "b", "tool": "x"
    }
]
`;

describe('withFieldOf()', () => {
  it('replaces a value and leaves every other character', () => {
    expect(withFieldOf(cases, 0, 'expect', { content: [1, { a: 'x\n y' }], error: [] })).toBe(
      cases.replace('{ "content": [1,2] }', '{ "content": [1, { "a": "x\\n y" }], "error": [] }'),
    );
  });

  it('adds a field as the others of its object stand', () => {
    expect(withFieldOf(cases, 1, 'expect', { summary: 's' })).toBe(
      cases.replace('"tool": "x"', '"tool": "x",\n    \t"expect": { "summary": "s" }'),
    );
    expect(withFieldOf('[{"a":1}]', 0, 'b', 2)).toBe('[{"a":1, "b": 2}]');
  });

  it('puts a long value on lines of its own, as deep as its field', () => {
    const long = { content: { words: 'w'.repeat(90) } };
    const text = withFieldOf('[\n  {\n    "name": "a"\n  }\n]\n', 0, 'expect', long);
    expect(text).toContain('\n    "expect": {\n      "content": {\n        "words": "www');
    expect(JSON.parse(text)).toEqual([{ name: 'a', expect: long }]);
  });
});
