import { expect, it } from 'vitest';
import { callInHere, echoWorld } from '../support/echo-world.ts';

const record = { 'base-URL': 'ä', left: null };
const values: readonly [type: string, value: unknown, shown?: unknown][] = [
  ['list<u8, 4>', 'AAEC/w=='],
  ['list<u8, 4>', [0, 1, 2, 255], 'AAEC/w=='],
  ['list<string, 2>', ['ä', '']],
  [
    'list<list<u64, 2>, 2>',
    [
      ['18446744073709551615', 0],
      [1, 2],
    ],
  ],
  ['list<u16, 20>', Array.from({ length: 20 }, (_, index) => index * 1000)],
  ['list<rec, 1>', [record]],
  ['map<string, u32>', { a: 1, constructor: 2 }],
  [
    'map<u32, string>',
    [
      [7, 'ä'],
      [0, ''],
    ],
  ],
  ['map<s64, bool>', [['-9223372036854775808', true]]],
  ['map<char, list<u8, 2>>', [['😀', 'AAH=']], [['😀', 'AAE=']]],
  ['map<bool, rec>', [[true, record]]],
  ['map<string, map<string, list<s8, 2>>>', { a: { b: [-1, 127] }, c: {} }],
  [
    'option<map<string, result<list<u32, 2>, map<u8, u8>>>>',
    { a: { ok: [1, 2] }, b: { error: [[1, 2]] } },
  ],
  ['tuple<map<u8, u8>, map<u8, u8>>', [[[1, 2]], [[3, 4]]]],
];

it('lists of a fixed length and maps are the same there and back, inside of one another', {
  timeout: 120_000,
}, async () => {
  const functions = values.map(
    ([type], index) => `f${index}: func(a: list<${type}>) -> list<${type}>;`,
  );
  const wit = `package test:types@0.1.0;
    interface i { record rec { base-URL: string, left: option<u8> } ${functions.join('\n')} }
    world w { export i; }`;
  const names = functions.map((_, index) => `test:types/i@0.1.0#f${index}`);
  const component = await echoWorld(wit, { values: names });
  const { tools, call } = await callInHere(component);
  expect(tools).toMatchObject({ reasons: [], withheld: [] });
  for (const [index, [type, value, shown = value]] of values.entries()) {
    expect(call(`i-f${index}`, { a: [value, value] }), type).toEqual([shown, shown]);
  }
  const described = tools.tools.map(({ description }) => description);
  expect(described[6]).toContain('f6: func(a: list<map<string, u32>>) -> list<map<string, u32>>');
});

it.each([
  ['list<u8, 4>', 'AAE=', 'a[0] is "AAE=", not base64 of 4 bytes'],
  ['list<u16, 4>', [1, 2], 'a[0] is [1,2], not a list of 4'],
  [
    'map<u8, u8>',
    [
      [1, 2],
      [1, 3],
    ],
    'a[0][1] is there twice',
  ],
  ['map<string, u8>', { a: 256 }, 'a[0]["a"] is 256, not a whole number from 0 to 255'],
  ['map<char, u8>', { a: 1 }, 'a[0] is {"a":1}, not a list'],
])('what is no %s is refused with its place: %j', async (type, value, reason) => {
  const wit = `package test:types@0.1.0; world w { export f: func(a: list<${type}>) -> list<${type}>; }`;
  const { call } = await callInHere(await echoWorld(wit, { values: ['f'] }));
  expect(() => call('f', { a: [value] })).toThrow(reason);
});
