import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { glueScript } from './glue-script.ts';

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
