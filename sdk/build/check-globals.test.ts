import { describe, expect, it } from 'vitest';
import { BuildError } from './build-error.ts';
import { checkGlobals } from './check-globals.ts';

describe('checkGlobals()', () => {
  it.each([
    'var Range = class _Range { static any = new _Range(); copy() { return new _Range(); } };',
    'const make = () => class Part extends Array { static of() { return new Part(); } };',
    'import * as host from "cuervo:host/fs"; host.stat("a");',
    'if (typeof Buffer !== "undefined") Buffer.from("a");',
    'if (globalThis.Temporal) Temporal.Now.instant();',
    'const { a: [b], ...c } = {}; label: for (const d of [b, c]) { console.log(d); break label; }',
    'function f() { return arguments.length + new.target; } class A { static { f(); } #p = 1; }',
  ])('lets pass what is there: %s', (source) => {
    expect(() => checkGlobals(source)).not.toThrow();
  });

  it.each([
    ['setTimeout(() => {}, 1);', 'does not have: setTimeout (tools are plain functions: there'],
    ['const x = class Part {}; new Other();', 'does not have: Other; --engine starlingmonkey'],
    ['process.exit(1);', 'a plugin has no environment'],
    ['fetch(URL.base);', 'have: URL (bundle a library for it), fetch (use the capability http); '],
  ])('names what is not: %s', (source, reason) => {
    expect(() => checkGlobals(source)).toThrow(BuildError);
    expect(() => checkGlobals(source)).toThrow(reason);
  });
});
