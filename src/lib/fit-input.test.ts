import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../contracts/tool.ts';
import { fitInput, likelyName } from './check-input.ts';

const schema: JsonObject = {
  type: 'object',
  properties: {
    start: { type: 'integer', minimum: 1 },
    all: { type: 'boolean' },
    paths: { type: 'array', items: { type: 'string' } },
    at: { type: 'object', properties: { line: { type: 'number' } } },
    note: { type: ['string', 'null'] },
    big: { type: ['integer', 'string'] },
  },
  required: ['start'],
  additionalProperties: false,
};

describe('fitInput()', () => {
  it.each<[JsonObject, JsonObject]>([
    [{ start: '1' }, { start: 1 }],
    [
      { start: 1, all: 'True' },
      { start: 1, all: true },
    ],
    [{ start: 1, all: null }, { start: 1 }],
    [
      { start: '1', note: null },
      { start: 1, note: null },
    ],
    [
      { start: 1, paths: 'a.ts' },
      { start: 1, paths: ['a.ts'] },
    ],
    [
      { start: 1, paths: '["a.ts"]' },
      { start: 1, paths: ['a.ts'] },
    ],
    [
      { start: 1, at: '{"line": "7.5"}' },
      { start: 1, at: { line: 7.5 } },
    ],
  ])('takes %j for %j, and says what was wrong', (given, input) => {
    expect(fitInput('t.t', schema, given)).toEqual({
      ...{ input, fits: true },
      wrong: expect.stringContaining('t.t: '),
    });
  });

  it.each<JsonObject>([
    { start: 'one' },
    { start: null },
    { start: '0' },
    { start: '1', all: 'perhaps' },
    { start: '9007199254740993' },
    { start: '1', other: 2 },
  ])('leaves %j as it is, because it does not fit after one repair', (given) => {
    expect(fitInput('t.t', schema, given)).toMatchObject({ input: given, fits: false });
  });

  it('changes nothing of what fits', () => {
    const given = { start: 1, big: '9007199254740993', note: '1' };
    expect(fitInput('t.t', schema, given)).toEqual({ input: given, fits: true });
  });
});

const names = ['file.read', 'file.read-all', 'files.list', 'search.grep', 'a.files_list'];

describe('likelyName()', () => {
  it.each([
    ['file.read', 'file.read'],
    ['file_read', 'file.read'],
    ['file__read', 'file.read'],
    ['fileRead', 'file.read'],
    ['file.read()', 'file.read'],
    ['functions.file__read', 'file.read'],
    ['functions.file__read:0', 'file.read'],
    ['file__read<|channel|>commentary', 'file.read'],
    ['default_api.search_grep', 'search.grep'],
  ])('takes %s for %s', (given, name) => {
    expect(likelyName(given, names)).toBe(name);
  });

  it.each(['read', 'file', 'profile_reads', '', 'b.a.files_list', 'weather'])(
    'does not guess what %j means',
    (given) => {
      expect(likelyName(given, names)).toBeUndefined();
    },
  );
});
