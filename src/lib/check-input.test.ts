import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../tests/support/cpu-ms.ts';
import type { Json, JsonObject } from '../contracts/tool.ts';
import { checkInput } from './check-input.ts';

const schema: JsonObject = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1 },
    line: { type: 'integer', minimum: 1, maximum: 9 },
    mode: { enum: ['a', 'b'] },
    edits: {
      type: 'array',
      maxItems: 2,
      items: { type: 'object', properties: { old: { type: 'string' } }, required: ['old'] },
    },
    any: {},
    either: { anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^(a+)+$' }] },
    variables: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['path'],
  additionalProperties: false,
};
const says = (input: JsonObject, of = schema): string => {
  try {
    checkInput('file.edit', of, input);
    return '';
  } catch (thrown) {
    return (thrown as Error).message;
  }
};

describe('checkInput()', () => {
  it.each<[string, JsonObject]>([
    ['what is right', { path: 'a', line: 3, mode: 'b', edits: [{ old: '' }], any: [null] }],
    ['fields of free names', { path: 'ü', variables: { X: 'y' } }],
    ['what only the guest can tell', { path: 'a', either: `${'a'.repeat(50)}b` }],
  ])('lets %s through', (_, input) => {
    expect(says(input)).toBe('');
  });

  it.each<[string, JsonObject]>([
    ['path: is missing', {}],
    ['path: has to be a string, and is a number', { path: 5 }],
    ['path: has to be a string, and is null', { path: null }],
    ['path: has 0 characters, at least 1', { path: '' }],
    ['line: has to be an integer, and is a number', { path: 'a', line: 1.5 }],
    ['line: is 10, at most 9', { path: 'a', line: 10 }],
    ['mode: has to be one of "a", "b"', { path: 'a', mode: 'c' }],
    [
      'edits: has 3 items, at most 2',
      { path: 'a', edits: [{ old: '' }, { old: '' }, { old: '' }] },
    ],
    ['edits[1].old: is missing', { path: 'a', edits: [{ old: '' }, {}] }],
    ['variables.X: has to be a string, and is an array', { path: 'a', variables: { X: [] } }],
    [
      'unknown field "paht"; edit takes path, line, mode, edits, any, either, variables',
      { path: 'a', paht: 'b' },
    ],
  ])('says %s', (reason, input) => {
    expect(says(input)).toBe(`file.edit: ${reason}`);
  });

  it('tells five reasons, and how many more there are', () => {
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`x${at}`, 1]));
    expect(says({ path: 'a', ...many })).toMatch(/(unknown field.*){5}; and 4 more$/);
  });

  it('looks through thousands of choices once, and tells few of them', () => {
    const words = Array.from({ length: 20_000 }, (_, at) => `word-${at}`);
    const of: JsonObject = {
      type: 'object',
      properties: { words: { type: 'array', items: { enum: words } } },
    };
    let reasons = '';
    const took = cpuMs(() => {
      expect(says({ words: words.toReversed() }, of)).toBe('');
      reasons = says({ words: words.map((word) => `${word}x`) }, of);
    });
    // One look at each choice for each word takes half a minute and more.
    expect(took).toBeLessThan(5000);
    expect(reasons).toContain('words[0]: has to be one of "word-0", "word-1", ');
    expect(reasons).toContain('"word-49", … and 19950 more; words[1]: ');
    expect(reasons).toMatch(/; and 19995 more$/);
    expect(reasons.length).toBeLessThan(5000);
  });

  it('leaves to the guest what is too deep, and what no schema is', () => {
    let deep: JsonObject = { type: 'string' };
    let value: Json = 5;
    for (let depth = 0; depth < 5000; depth += 1) {
      deep = { type: 'array', items: deep };
      value = [value];
    }
    expect(says({ path: value }, { type: 'object', properties: { path: deep } })).toBe('');
    expect(
      says({ __proto__: 1, a: 1 } as JsonObject, { type: 5, required: [5], properties: [] }),
    ).toBe('');
  });
});
