import { describe, expect, it } from 'vitest';
import { freeNames } from './free-names.ts';

const names = (source: string): string[] => freeNames(source).map(({ name }) => name);

describe('freeNames()', () => {
  it.each([
    'var Range = class _Range { static any = new _Range(); copy() { return new _Range(); } };',
    'const make = () => class Part extends make { static of() { return new Part(); } };',
    'import * as host from "cuervo:host/fs"; host.stat("a");',
    'import def, { a as b } from "x"; export { b as c, def }; export * from "y"; export { z } from "w";',
    'const { a: [b], ...c } = {}; label: for (const d of [b, c]) { d; break label; }',
    'function f(x, y = x) { return arguments.length + new.target + y; } class A { static { f(); } #p = 1; }',
    'try { f(); } catch { g(); } try { f(); } catch ({ message }) { message; } function f() {} var g = f;',
    'if (hoisted) { var hoisted = 1; } later(); function later() { return import.meta; }',
    'const o = { key: 1, method() {}, get x() { return o.key; } }; o?.key;',
    'for (let i = 0; i < 1; i++) { const j = i; j; } switch (1) { case 1: let k; k; }',
    'const named = function own(n) { return n ? own(n - 1) : 0; }; named();',
  ])('finds none where all is declared: %s', (source) => {
    expect(names(source)).toEqual([]);
  });

  it('finds each use, in the order of the text, and whether it asks first', () => {
    const source =
      "Buffer.from(x); typeof URL; globalThis.fetch; 'crypto' in self; { let y = 1; } y; window['top'];";
    expect(freeNames(source).map(({ name, isAsked }) => [name, isAsked])).toEqual([
      ['Buffer', false],
      ['x', false],
      ['URL', true],
      ['globalThis', false],
      ['fetch', true],
      ['crypto', true],
      ['self', false],
      ['y', false],
      ['window', false],
      ['top', true],
    ]);
    const [first, second] = freeNames(source);
    expect([first?.at, second?.at]).toEqual([0, 12]);
  });

  it('says what is made without a declaration', () => {
    const made = (source: string): string[] =>
      freeNames(source).flatMap(({ name, isMade }) => (isMade ? [name] : []));
    expect(made('a = 1; for (b in {}) {} for (c of []) {} let d; d = 1; e += 1;')).toEqual([
      ...['a', 'b', 'c', 'e'],
    ]);
  });

  it('takes what is taken out of the global object for asked', () => {
    const source = "const { a, b: c } = typeof self !== 'undefined' ? self : other; ";
    expect(freeNames(source).flatMap(({ name, isAsked }) => (isAsked ? [name] : []))).toEqual([
      ...['a', 'b', 'self'],
    ]);
  });

  it('takes a parameter for its own and not for a global object', () => {
    expect(names('function f(window) { return window.document; }')).toEqual([]);
  });

  it('finds computed keys and defaults', () => {
    expect(names('const { [key]: a = other } = {}; class B { [name]() { a; } }')).toEqual([
      'key',
      'other',
      'name',
    ]);
  });
});
