import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { readBinary } from '../component/read-component.ts';
import { glueScript, type ImportName, renameImport } from './edit-glue.ts';

/** A module with two imported functions of one type, and one that exports nothing. */
const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const types = [1, 5, 1, 0x60, 1, 0x7f, 0];
const text = (value: string): number[] => [value.length, ...Buffer.from(value)];
const imported = [
  ...[2, ...text('a'), ...text('exit'), 0, 0],
  ...[...text('a'), ...text('other'), 0, 0],
];
const custom = [0, 3, 1, 0x78, 0x79];
const whole = Uint8Array.from([
  ...[...header, ...types, 2, imported.length, ...imported, ...custom],
]);

describe('renameImport()', () => {
  it('gives one function another name, and leaves all the rest', () => {
    const long = 'n'.repeat(200);
    const renamed = renameImport(whole, ['a', 'exit'], ['wasi:cli/exit', long]) as Uint8Array;
    expect(readBinary(renamed).imports.map(({ name }) => name)).toEqual([
      `wasi:cli/exit.${long}`,
      'a.other',
    ]);
    expect([...renamed.subarray(-custom.length)]).toEqual(custom);
  });

  it('says when it is not imported', () => {
    for (const from of [
      ['a', 'exi'],
      ['b', 'exit'],
      ['exit', 'a'],
    ] satisfies ImportName[]) {
      expect(renameImport(whole, from, ['x', 'y'])).toBeUndefined();
    }
    expect(renameImport(Uint8Array.from(header), ['a', 'exit'], ['x', 'y'])).toBeUndefined();
  });

  it('takes nothing that is cut off, and leaves imports of other things', () => {
    for (let length = 9; length < header.length + types.length + imported.length; length += 1) {
      if (length === header.length + types.length) continue;
      expect(() => renameImport(whole.subarray(0, length), ['a', 'other'], ['x', 'y'])).toThrow();
    }
    const memory = Uint8Array.from([...header, 2, 8, 1, ...text('a'), ...text('m'), 2, 0, 1]);
    expect(renameImport(memory, ['a', 'm'], ['x', 'y'])).toBeUndefined();
  });
});

describe('glueScript()', () => {
  it('makes a strict script whose value is the function, each line where it was', () => {
    const glue = [
      '"use components";',
      'export function instantiate(get, imports) {',
      '  const strict = (function () { return this === undefined; })();',
      '  return { get, imports, strict, line: new Error().stack.split("\\n")[1] };',
      '};',
      'export const _util = {};',
    ].join('\n');
    const instantiate = new Script(glueScript(glue), { filename: 'glue.js' }).runInThisContext();
    expect(instantiate(1, 2)).toMatchObject({ get: 1, imports: 2, strict: true });
    expect(instantiate(1, 2).line).toContain('glue.js:4:');
  });

  it('takes functions, classes and variables beside it', () => {
    const glue = [
      'const one = 1;',
      'export function other() { return one; }',
      'export function instantiate() { return other() + more(); }',
      'function more() { return 1; }',
      'export { more };',
    ].join('\n');
    expect(new Script(glueScript(glue)).runInThisContext()()).toBe(2);
  });

  it.each([
    ['no export', 'function instantiate() {}'],
    ['another name', 'export function run() {}'],
    ['code of its own', 'export function instantiate() {}\nglobalThis.x = 1;'],
    ['an import', 'import "node:fs";\nexport function instantiate() {}'],
    ['undefined as a name', 'export function instantiate() { function undefined() {} }'],
    ['no JavaScript', 'export function instantiate() {'],
  ])('refuses %s', (_, glue) => {
    expect(() => glueScript(glue)).toThrow(SyntaxError);
  });
});
