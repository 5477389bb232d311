import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { camelCase } from '../../src/lib/text/words.ts';
import { callInHere, echoWorld } from '../support/echo-world.ts';

const digits = ['0', '1', '29'];
const small = fc.stringMatching(/^[a-z][a-z0-9]{0,4}$/);
const capital = fc.stringMatching(/^[A-Z][A-Z0-9]{0,4}$/);
const word = fc.oneof(small, capital);
const later = fc.oneof(word, fc.constantFrom(...digits, '2x', '3D'));
/** As the component model has names: words of small letters or capitals, the first with no digit first. */
const label = fc
  .tuple(word, fc.array(later, { maxLength: 3 }))
  .map(([first, rest]) => [first, ...rest].join('-'));
/** Words that mean something to JavaScript, or to the code that the transpiler writes. */
const loaded = fc.constantFrom(
  ...['promise', 'object', 'map', 'error', 'symbol', 'uint8-array', 'big-int', 'type-error'],
  ...['web-assembly', 'text-decoder', 'finalization-registry', 'number', 'string', 'weak-map'],
  ...['constructor', 'to-string', 'TO-STRING', 'value-of', 'has-own-property', 'is-prototype-of'],
  ...['then', 'to-json', 'default', 'delete', 'new', 'class', 'await', 'async', 'let', 'static'],
  ...['eval', 'yield', 'null', 'true', 'undefined', 'NAN', 'JSON', 'URL', 'proto', 'prototype'],
  ...['length', 'name', 'tag', 'val', 'get-URL', 'HTTP', 'opt-ID', 'base-URL', 'x-1', 'a-b-c'],
  ...['ret', 'result0', 'promise', 'data-view', 'imports', 'task', 'error'],
);
const names = (count: number): fc.Arbitrary<string[]> =>
  fc.uniqueArray(fc.oneof(label, loaded), {
    minLength: count,
    maxLength: count,
    selector: (name) => camelCase(name).toLowerCase(),
  });

/** All that can have a name, with these names; `W` is the type of all of it together. */
function typesOf(fields: readonly string[], cases: readonly string[], flags: readonly string[]) {
  const kinds = ['string', 'u32', 'option<u8>', 'bool', 'list<u8>', 's64', 'char'];
  const values = ['ä', 7, 255, true, 'AAH/', -5, '😀'];
  const at = <Value>(list: readonly Value[], index: number): Value =>
    list[index % list.length] as Value;
  const record = Object.fromEntries(fields.map((name, index) => [name, at(values, index)]));
  const types = `
    record rec { ${fields.map((name, index) => `%${name}: ${at(kinds, index)}`).join(', ')} }
    flags fla { ${flags.map((name) => `%${name}`).join(', ')} }
    enum enu { ${cases.map((name) => `%${name}`).join(', ')} }
    variant var { ${cases.map((name, index) => `%${name}${index % 2 ? '(rec)' : ''}`).join(', ')} }
    type whole = tuple<rec, fla, enu, list<var>, option<rec>, result<fla, rec>>;`;
  const variants = cases.map((tag, index) => (index % 2 ? { tag, value: record } : { tag }));
  const value = [
    [
      record,
      flags.filter((_, index) => index % 2),
      cases.at(-1),
      variants,
      record,
      { error: record },
    ],
    [record, flags, cases[0], [], null, { ok: flags.slice(0, 1) }],
  ];
  return { types, value };
}

describe('names of WIT', () => {
  it('are the same there and back in every type, function, interface and world', {
    timeout: 300_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        names(14),
        names(6),
        names(9),
        // what glue compares with: refused as the name of a function
        fc.uniqueArray(
          fc.oneof(label, loaded).filter((name) => name !== 'undefined'),
          {
            minLength: 8,
            maxLength: 8,
            selector: (name) => camelCase(name).toLowerCase(),
          },
        ),
        async (fields, cases, flags, [own = '', inside = '', plain = '', fails = '', ...more]) => {
          const { types, value } = typesOf(fields, cases, flags);
          const [called = '', failing = '', resource = '', method = ''] = more;
          const wit = `package test:names@0.1.0;
              interface %${own} { ${types}
                %${called}: func(a: list<whole>) -> list<whole>;
                %${failing}: func(a: list<whole>) -> result<_, list<whole>>;
                resource %${resource} { %${method}: static func(a: list<u8>) -> list<u8>; } }
              world w { export %${own}; use %${own}.{whole};
                export %${inside}: interface { %${called}: func(a: list<u32>) -> list<u32>; }
                export %${plain}: func(%${fails}: list<string>) -> list<string>; }`;
          const id = `test:names/${own}@0.1.0`;
          const component = await echoWorld(wit, {
            values: [
              `${id}#${called}`,
              `${id}#[static]${resource}.${method}`,
              `${inside}#${called}`,
              plain,
            ],
            errors: [`${id}#${failing}`],
          });
          const { tools, call } = await callInHere(component);
          expect(tools.reasons).toEqual([]);
          const tool = (...parts: string[]): string => parts.join('-').toLowerCase();
          expect(call(tool(own, called), { a: value })).toEqual(value);
          const told = expect.objectContaining({
            payload: { tag: 'failed', val: JSON.stringify(value) },
          });
          expect(() => call(tool(own, failing), { a: value })).toThrow(told);
          expect(call(tool(inside, called), { a: [1, 2] })).toEqual([1, 2]);
          expect(call(tool(plain), { [fails]: ['x'] })).toEqual(['x']);
        },
      ),
      { numRuns: 25 },
    );
  });
});
