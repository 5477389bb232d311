import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson } from '../../lib/text/parse-json.ts';
import type { ValueType } from '../../protocol/bindings.ts';
import { type CallResult, callFunction as call } from './call-function.ts';

/** Of functions that are not asynchronous. */
const callFunction = (
  ...[run, binding, input]: [Parameters<typeof call>[0], Parameters<typeof call>[1], unknown]
) =>
  call(run, binding, input, {
    ...{ maxResultBytes: 1000, progress: () => {}, reading: new Set<Disposable>() },
  }) as Awaited<CallResult>;

import { InputMismatch } from './guest-values.ts';

/** What a function that gives back its argument gives, as JSON. */
function echo(type: ValueType, json: string): unknown {
  const binding = { kind: 'function', name: 'echo', params: [{ name: 'a', type }], result: type };
  const wrapped = callFunction(
    (value) => [value],
    {
      ...binding,
      kind: 'function',
      // In a tuple: as content of its own a string would stand without quotes.
      result: { kind: 'tuple', of: [type] },
    },
    parseExactJson(`{"a":${json}}`),
  );
  return (JSON.parse(wrapped.content) as unknown[])[0];
}

/** The value that the glue gets. */
function given(type: ValueType, json: string): unknown {
  let seen: unknown;
  const params = [{ name: 'a', type }];
  callFunction(
    (value) => {
      seen = value;
    },
    { kind: 'function', name: 'f', params },
    {
      a: parseExactJson(json),
    },
  );
  return seen;
}

const u8: ValueType = { kind: 'u8' };
const s64: ValueType = { kind: 's64' };
const bytes: ValueType = { kind: 'list', of: u8 };
const maybe: ValueType = { kind: 'option', of: u8 };
const thrice: ValueType = { kind: 'option', of: { kind: 'option', of: maybe } };
const point: ValueType = {
  kind: 'record',
  fields: [
    { name: 'x-pos', type: s64 },
    { name: 'note', type: { kind: 'option', of: { kind: 'string' } } },
  ],
};
const shape: ValueType = {
  kind: 'variant',
  cases: [{ name: 'none' }, { name: 'dot-at', type: point }],
};
const texts: ValueType = { kind: 'map', key: { kind: 'string' }, value: s64 };
const numbers: ValueType = { kind: 'map', key: u8, value: point };
const outcome: ValueType = { kind: 'result', ok: u8, error: { kind: 'string' } };
const perms: ValueType = { kind: 'flags', names: ['read-it', 'write-it'] };

it.each<[string, ValueType]>([
  ['field', { kind: 'record', fields: [{ name: 'base-URL', type: { kind: 'string' } }] }],
  ['optional field', { kind: 'record', fields: [{ name: 'base-URL', type: maybe }] }],
  ['flag', { kind: 'flags', names: ['base-URL'] }],
])('callFunction() makes no value of a %s that the glue calls otherwise', (_what, result) => {
  const binding = { kind: 'function', name: 'f', params: [], result } as const;
  expect(() => callFunction(() => ({ baseURL: 'a' }), binding, {})).toThrow(
    'the component gave no baseUrl for base-URL',
  );
});

describe('callFunction() values both ways', () => {
  it.each<[string, ValueType, string, unknown]>([
    ['bool', { kind: 'bool' }, 'true', true],
    ['s8', { kind: 's8' }, '-128', -128],
    ['u32', { kind: 'u32' }, '4294967295', 4_294_967_295],
    ['s64 that a number holds', s64, '-5', -5],
    ['s64 above 2^53', s64, '9007199254740993', '9007199254740993'],
    ['s64 as digits', s64, '"-9223372036854775808"', '-9223372036854775808'],
    ['u64 at its end', { kind: 'u64' }, '18446744073709551615', '18446744073709551615'],
    ['f64', { kind: 'f64' }, '0.1', 0.1],
    ['f64 of many digits', { kind: 'f64' }, '10000000000000000', 10_000_000_000_000_000],
    ['f64 that is not a number', { kind: 'f64' }, '"NaN"', 'NaN'],
    ['f32 without end', { kind: 'f32' }, '"-Infinity"', '-Infinity'],
    ['char', { kind: 'char' }, '"😀"', '😀'],
    ['string', { kind: 'string' }, '"a\\nb"', 'a\nb'],
    ['bytes as base64', bytes, '"AAH/"', 'AAH/'],
    ['bytes as numbers', bytes, '[0,1,255]', 'AAH/'],
    ['no bytes', bytes, '""', ''],
    ['list', { kind: 'list', of: s64 }, '[1,"9007199254740993"]', [1, '9007199254740993']],
    ['list of a fixed length', { kind: 'list', of: s64, length: 2 }, '[1,2]', [1, 2]],
    ['bytes of a fixed length', { kind: 'list', of: u8, length: 3 }, '"AAH/"', 'AAH/'],
    ['such bytes as numbers', { kind: 'list', of: u8, length: 3 }, '[0,1,255]', 'AAH/'],
    ['map with texts', texts, '{"a":1,"__proto__":2}', JSON.parse('{"a":1,"__proto__":2}')],
    ['map with numbers', numbers, '[[7,{"x-pos":1}]]', [[7, { 'x-pos': 1, note: null }]]],
    ['map with nothing in it', texts, '{}', {}],
    ['tuple', { kind: 'tuple', of: [u8, { kind: 'string' }] }, '[1,"a"]', [1, 'a']],
    ['option that is there', maybe, '7', 7],
    ['option that is not', maybe, 'null', null],
    ['option of an option, none', { kind: 'option', of: maybe }, 'null', null],
    [
      'option of an option, some none',
      { kind: 'option', of: maybe },
      '{"some":null}',
      { some: null },
    ],
    ['option of an option, some', { kind: 'option', of: maybe }, '{"some":7}', { some: 7 }],
    ['option three deep, none', thrice, 'null', null],
    ['option three deep, some none', thrice, '{"some":null}', { some: null }],
    ['option three deep, some', thrice, '{"some":{"some":7}}', { some: { some: 7 } }],
    ['result that is ok', outcome, '{"ok":5}', { ok: 5 }],
    ['result that is an error', outcome, '{"error":"bad"}', { error: 'bad' }],
    ['result without values', { kind: 'result' }, '{"ok":null}', { ok: null }],
    ['record', point, '{"x-pos":1,"note":"n"}', { 'x-pos': 1, note: 'n' }],
    ['record with an option left out', point, '{"x-pos":1}', { 'x-pos': 1, note: null }],
    ['variant without a value', shape, '{"tag":"none"}', { tag: 'none' }],
    [
      'variant',
      shape,
      '{"tag":"dot-at","value":{"x-pos":2}}',
      { tag: 'dot-at', value: { 'x-pos': 2, note: null } },
    ],
    ['enum', { kind: 'enum', names: ['red', 'dark-red'] }, '"dark-red"', 'dark-red'],
    ['flags', perms, '["write-it"]', ['write-it']],
    ['no flags', perms, '[]', []],
  ])('converts %s', (_name, type, json, expected) => {
    expect(echo(type, json)).toEqual(expected);
  });

  it.each<[string, ValueType, string, unknown]>([
    ['64-bit integers', s64, '9007199254740993', 9007199254740993n],
    ['bytes', bytes, '"AAH/"', new Uint8Array([0, 1, 255])],
    [
      'numbers',
      { kind: 'list', of: { kind: 'f32' } },
      '["NaN",1]',
      new Float32Array([Number.NaN, 1]),
    ],
    ['an option of an option', { kind: 'option', of: maybe }, 'null', { tag: 'none' }],
    ['an option three deep', thrice, '{"some":{"some":7}}', { tag: 'some', val: 7 }],
    ['none of it', thrice, 'null', undefined],
    ['an error', outcome, '{"error":"bad"}', { tag: 'err', val: 'bad' }],
    ['a record', point, '{"x-pos":1}', { xPos: 1n, note: undefined }],
    ['a variant', shape, '{"tag":"none"}', { tag: 'none' }],
    ['flags', perms, '["write-it"]', { readIt: false, writeIt: true }],
  ])('hands %s to the glue in its own form', (_name, type, json, expected) => {
    expect(given(type, json)).toEqual(expected);
  });

  it.each<[string, ValueType, string, string]>([
    ['a number that is too large', u8, '256', 'a is 256, not a whole number from 0 to 255'],
    ['a part of a number', u8, '1.5', 'a is 1.5, not a whole number'],
    ['digits for a small integer', u8, '"1"', 'a is "1", not a whole number'],
    [
      's64 above its end',
      s64,
      '9223372036854775808',
      'not a whole number from -9223372036854775808',
    ],
    ['s64 that is not a number', s64, '"1e3"', 'a is "1e3", not'],
    ['f32 that is too large', { kind: 'f32' }, '1e39', 'not a number of f32'],
    ['two characters', { kind: 'char' }, '"ab"', 'not one character'],
    ['half a character', { kind: 'char' }, '"\\ud800"', 'not one character'],
    ['a string for a bool', { kind: 'bool' }, '"true"', 'a is "true", not true or false'],
    ['no base64', bytes, '"A"', 'not base64, or a list of numbers'],
    ['a byte that is none', bytes, '[1,256]', 'a[1] is 256, not a whole number'],
    ['a list that is too short', { kind: 'list', of: u8, length: 2 }, '[1]', 'not a list of 2'],
    ['a tuple that is too long', { kind: 'tuple', of: [u8] }, '[1,2]', 'not a list of 1'],
    ['null without an option', { kind: 'string' }, 'null', 'a is null, not a string'],
    ['both of a result', outcome, '{"ok":1,"error":"x"}', 'not {"ok": …} or {"error": …}'],
    ['a field that is missing', point, '{}', 'a.x-pos is missing'],
    [
      'a field that is unknown',
      point,
      '{"x-pos":1,"y":2}',
      'a has "y", but it takes only x-pos, note',
    ],
    ['a field of the prototype', point, '{"__proto__":{"x-pos":1}}', 'a has "__proto__"'],
    ['an unknown case', shape, '{"tag":"constructor"}', 'a.tag is "constructor", not one of none'],
    [
      'a value of a case without',
      shape,
      '{"tag":"none","value":1}',
      'a has "value", but it takes only tag',
    ],
    [
      'a field beside a case',
      shape,
      '{"tag":"dot-at","value":{"x-pos":1},"y":2}',
      'a has "y", but it takes only tag, value',
    ],
    ['a value of a result without', { kind: 'result' }, '{"ok":1}', 'a.ok is 1, not null'],
    ['a case without its value', shape, '{"tag":"dot-at"}', 'a.value is nothing, not an object'],
    [
      'a name that is none',
      { kind: 'enum', names: ['red'] },
      '"blue"',
      'a is "blue", not one of red',
    ],
    ['a flag that is none', perms, '["exec"]', 'a is "exec", not some of read-it, write-it'],
  ])('refuses %s', (_name, type, json, sentence) => {
    expect(() => echo(type, json)).toThrow(sentence);
    expect(() => echo(type, json)).toThrow(InputMismatch);
  });

  it('refuses parameters that are missing or unknown', () => {
    const binding = { kind: 'function', name: 'f', params: [{ name: 'a-b', type: u8 }] } as const;
    expect(() => callFunction(() => 0, binding, {})).toThrow('a-b is missing');
    const more = { 'a-b': 1, aB: 1 };
    expect(() => callFunction(() => 0, binding, more)).toThrow('the input has "aB"');
  });

  it('gives back any 64-bit integer with all of its digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (integer) => {
        expect(String(echo(s64, String(integer)))).toBe(String(integer));
      }),
      { seed: 20_261_122, numRuns: 500 },
    );
  });
});

describe('callFunction() results', () => {
  it('shows the items of a stream as they come', async () => {
    const pieces = [[7n], [8n]][Symbol.iterator]();
    const stream = { read: async () => pieces.next(), [Symbol.dispose]: () => {} };
    const shown: unknown[] = [];
    const result: ValueType = { kind: 'result', ok: { kind: 'stream', of: s64 } };
    const { content } = await call(
      () => stream,
      { kind: 'function', name: 'f', params: [], result },
      {},
      {
        maxResultBytes: 1000,
        progress: (...item) => void shown.push(item),
        reading: new Set(),
      },
    );
    expect([content, shown]).toEqual([
      '[7,8]',
      [
        ['7', 1],
        ['8', 2],
      ],
    ]);
  });

  const plain = { kind: 'function', name: 'f', params: [] } as const;

  it('gives a string as it is, and everything else as JSON', () => {
    const text = callFunction(() => 'a "b"', { ...plain, result: { kind: 'string' } }, {});
    expect(text).toEqual({ content: 'a "b"', summary: 'f: a "b"' });
    const nothing = callFunction(() => undefined, plain, {});
    expect(nothing.content).toBe('null');
    const sum = callFunction(() => 9007199254740994n, { ...plain, result: s64 }, {});
    expect(sum.content).toBe('9007199254740994');
  });

  it('throws the error of a result as failed, with its value', () => {
    const fails = (payload: unknown) => () => {
      throw Object.assign(new Error('glue'), { payload });
    };
    const told = (error: ValueType, payload: unknown): unknown => {
      try {
        return callFunction(fails(payload), { ...plain, result: { kind: 'result', error } }, {});
      } catch (thrown) {
        return (thrown as { payload: unknown }).payload;
      }
    };
    expect(told({ kind: 'string' }, 'bad')).toEqual({ tag: 'failed', val: 'bad' });
    expect(told(point, { xPos: 3n, note: undefined })).toEqual({
      tag: 'failed',
      val: '{"x-pos":3,"note":null}',
    });
  });

  it('lets a trap pass, whatever it carries, where the function gives no result', () => {
    const trap = Object.assign(new Error('unreachable'), { payload: { tag: 'denied', val: 'x' } });
    expect(() =>
      callFunction(
        () => {
          throw trap;
        },
        plain,
        {},
      ),
    ).toThrow(trap);
  });
});
