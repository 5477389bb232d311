import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  embeddedModule,
  emptyPlugin,
  fromWat,
  fromWorld,
  leb,
  quickjsPlugin,
  withSection,
  witPackage,
} from '../../../../tests/support/test-binaries.ts';
import { KernelError } from '../../../contracts/error.ts';
import { readBinary } from './read-component.ts';

/** Kept, so that a failure comes again; fast-check prints the path within it. */
const seed = 20_261_121;

/** What was thrown, checked to be a refusal in one sentence; undefined when it could be read. */
function refusal(bytes: Uint8Array): string | undefined {
  try {
    readBinary(bytes);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof KernelError)) throw thrown;
    expect(thrown.code).toBe('plugin-fault');
    expect(thrown.message).toMatch(/^\P{C}{10,1500}$/u);
    return thrown.message;
  }
}

function component(...sections: readonly (readonly [number, ...(number | Uint8Array)[]])[]) {
  const parts = sections.map(([id, ...contents]) => {
    const body = Buffer.concat(
      contents.map((part) => (typeof part === 'number' ? Uint8Array.of(part) : part)),
    );
    return Buffer.concat([Uint8Array.of(id), leb(body.length), body]);
  });
  return Buffer.concat([Uint8Array.of(0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0), ...parts]);
}

const text = (value: string) => Buffer.concat([leb(Buffer.byteLength(value)), Buffer.from(value)]);

describe('readBinary() of real binaries', () => {
  it('reads imports and exports of a component', async () => {
    const shape = readBinary(await emptyPlugin(['fs', 'clock']));
    expect(shape.kind).toBe('component');
    expect(shape.imports).toEqual([
      { name: 'cuervo:host/types@0.1.0', kind: 'instance', typesOnly: true },
      { name: 'cuervo:host/fs@0.1.0', kind: 'instance' },
      { name: 'cuervo:host/clock@0.1.0', kind: 'instance' },
    ]);
    expect(shape.exports).toEqual([{ name: 'cuervo:plugin/tools@0.1.0', kind: 'instance' }]);
    expect(shape.coreModules).toBe(3);
    expect(shape.repeats).toEqual([]);
  });

  it('tells imports that bring types alone from those that bring more', async () => {
    const bytes = await fromWorld(`package a:b@1.0.0;
      interface types { record point { x: s32 } variant shape { dot(point), nothing } }
      interface things { resource thing; }
      interface calls { use types.{point}; go: func(at: point); }
      world w { use types.{shape}; import things; import calls; export draw: func(what: shape); }`);
    const alone = readBinary(bytes).imports.filter(({ typesOnly }) => typesOnly);
    expect(alone.map(({ name }) => name)).toEqual(['a:b/types@1.0.0', 'shape']);
    expect(readBinary(bytes).imports).toHaveLength(4);
  });

  it('reads a QuickJS plugin: nested components, and an export init that nobody asked for', async () => {
    const shape = readBinary(await quickjsPlugin());
    expect(shape.imports.map(({ name }) => name)).toEqual([
      'cuervo:host/types@0.1.0',
      'cuervo:host/fs@0.1.0',
      'cuervo:host/log@0.1.0',
    ]);
    expect(shape.exports).toEqual([
      { name: 'init', kind: 'func' },
      { name: 'cuervo:plugin/tools@0.1.0', kind: 'instance' },
    ]);
    expect(shape.coreModules).toBeGreaterThan(5);
    expect(shape.repeats).toEqual([]);
  });

  it('names a core module, though it carries a world', async () => {
    const shape = readBinary(await embeddedModule(['fs']));
    expect(shape.kind).toBe('module');
    expect(shape.imports.length).toBeGreaterThan(0);
    expect(shape.customSections.map(({ name }) => name)).toEqual(['component-type']);
    expect(shape.coreModules).toBe(1);
  });

  it('names a WIT package, and reads the next file all the same', async () => {
    expect(readBinary(await witPackage()).kind).toBe('wit-package');
    expect(readBinary(await emptyPlugin()).kind).toBe('component');
  });

  it('gives the contents of custom sections by offset and length', async () => {
    const bytes = withSection(await emptyPlugin(), 'cuervo:plugin', '{"name":"x"}');
    const found = readBinary(bytes).customSections.find(({ name }) => name === 'cuervo:plugin');
    if (!found) throw new Error('the section is not found');
    const contents = bytes.subarray(found.offset, found.offset + found.length);
    expect(Buffer.from(contents).toString()).toBe('{"name":"x"}');
  });

  it.each([
    ['(component (import "a" (func)))', [{ name: 'a', kind: 'func' }]],
    ['(component (import "a:b/c@1.0.0" (instance)))', [{ name: 'a:b/c@1.0.0', kind: 'instance' }]],
    ['(component (import "a" (component)))', [{ name: 'a', kind: 'component' }]],
    ['(component (import "a" (core module)))', [{ name: 'a', kind: 'module' }]],
    ['(component (import "a" (type (sub resource))))', [{ name: 'a', kind: 'type' }]],
    [
      '(component (type $t u32) (import "a" (type (eq $t))))',
      [{ name: 'a', kind: 'type', typesOnly: true }],
    ],
    [
      '(component (import "a" (implements "wasi:keyvalue/store") (instance)))',
      [{ name: 'a', kind: 'instance' }],
    ],
    [
      '(component (import "a:b/c@0.1" (versionsuffix ".0") (instance)))',
      [{ name: 'a:b/c@0.1', kind: 'instance' }],
    ],
    ['(component (import "a" (external-id "foo") (func)))', [{ name: 'a', kind: 'func' }]],
    [
      '(component (import "a" (func)) (import "b" (func)) (type u8) (import "c" (func)))',
      ['a', 'b', 'c'].map((name) => ({ name, kind: 'func' })),
    ],
  ])('reads the imports of %s', async (wat, imports) => {
    expect(readBinary(await fromWat(wat)).imports).toEqual(imports);
  });

  it.each([
    ['(component (import "f" (func $f)) (export "a" (func $f)))', 'func'],
    ['(component (import "f" (func $f)) (export "a" (func $f) (func)))', 'func'],
    ['(component (instance $i) (export "a" (instance $i)))', 'instance'],
    ['(component (component $c) (export "a" (component $c)))', 'component'],
    ['(component (core module $m) (export "a" (core module $m)))', 'module'],
    ['(component (type $t u32) (export "a" (type $t)))', 'type'],
  ])('reads the export of %s', async (wat, kind) => {
    expect(readBinary(await fromWat(wat)).exports).toEqual([{ name: 'a', kind }]);
  });

  it('reads every kind of import and export of a core module', async () => {
    const shape = readBinary(
      await fromWat(`(module
        (import "m" "f" (func)) (import "m" "t" (table 1 2 externref))
        (import "m" "r" (table 1 (ref null func))) (import "m" "g" (global (mut i64)))
        (import "m" "w" (memory i64 1)) (import "m" "x" (tag))
        (memory 1) (export "m" (memory 1)) (export "f" (func 0)) (export "t" (table 0))
        (export "g" (global 0)) (export "x" (tag 0)))`),
    );
    const kinds = ['func', 'table', 'table', 'global', 'memory', 'tag'];
    expect(shape.imports.map(({ kind }) => kind)).toEqual(kinds);
    expect(shape.imports[0]?.name).toBe('m.f');
    expect(shape.exports.map(({ kind }) => kind)).toEqual([
      'memory',
      'func',
      'table',
      'global',
      'tag',
    ]);
  });
});

describe('readBinary() and core modules that live twice', () => {
  const module = '(core module $m (memory 1))';
  it.each([
    [
      'twice the same',
      `${module} (core instance (instantiate $m)) (core instance (instantiate $m))`,
    ],
    [
      'in a component that is instantiated twice',
      `(component $c ${module} (core instance (instantiate $m))) (instance (instantiate $c)) (instance (instantiate $c))`,
    ],
    [
      'handed to a nested component',
      `${module} (component $c (import "m" (core module $x)) (core instance (instantiate $x))) (instance (instantiate $c (with "m" (core module $m))))`,
    ],
    [
      'by an alias from outside',
      `${module} (component $c (alias outer 1 $m (core module $x)) (core instance (instantiate $x))) (instance (instantiate $c))`,
    ],
    [
      'by an alias of an export',
      `(component $c ${module} (export "m" (core module $m))) (instance $i (instantiate $c)) (alias export $i "m" (core module $a)) (alias export $i "m" (core module $b)) (core instance (instantiate $a)) (core instance (instantiate $b))`,
    ],
  ])('reports one that is instantiated %s', async (_name, body) => {
    const shape = readBinary(await fromWat(`(component ${body})`));
    expect(shape.repeats.length).toBeGreaterThan(0);
  });

  it('reports nothing when two modules are instantiated once each', async () => {
    const wat = `(component ${module} (core module $n) (core instance (instantiate $m)) (core instance (instantiate $n)))`;
    expect(readBinary(await fromWat(wat)).repeats).toEqual([]);
  });
});

describe('readBinary() refuses', () => {
  it('what is not WebAssembly, showing how it begins', () => {
    expect(refusal(Buffer.from('PK\u0003\u0004 and so on'))).toBe(
      'not WebAssembly: the file begins with 50 4b 03 04 20 61 6e 64; a cuervo plugin is a WebAssembly component',
    );
    expect(refusal(Buffer.from('<!DOCTYPE html>\n<html lang="en"><head>'))).toContain(
      String.raw`begins with "<!DOCTYPE html>\n<html lang=\"en";`,
    );
    expect(refusal(new Uint8Array(0))).toContain('the file is empty');
    expect(refusal(Uint8Array.of(0))).toContain('truncated at offset 1');
    expect(refusal(Uint8Array.of(0, 0))).toContain('begins with 00 00;');
    expect(refusal(Buffer.from('\0asm'))).toContain('truncated at offset 4');
  });

  it('100 MB of zeros, by its size alone', () => {
    expect(refusal(new Uint8Array(100_000_000))).toBe(
      'the file has 100000000 bytes, limit 67108864',
    );
  });

  it('another version of the format', () => {
    expect(refusal(Buffer.from('0061736d0a000100', 'hex'))).toContain(
      'unknown version 0a 00 01 00',
    );
  });

  const name = (value: string | Uint8Array) =>
    component([10, 1, 0, typeof value === 'string' ? text(value) : value, 1, 0]);
  it.each([
    ['an unknown section', component([13]), 'unknown section id 13'],
    ['an unknown section of a module', Buffer.from('0061736d010000000e00', 'hex'), 'section id 14'],
    ['a repeated section', Buffer.from('0061736d01000000010100010100', 'hex'), 'is repeated'],
    ['a length beyond the end', Buffer.from('0061736d0d0001000aff01', 'hex'), 'truncated at'],
    ['a number of six bytes', Buffer.from('0061736d0d0001000a808080808000', 'hex'), '32-bit'],
    ['a number above 32 bits', Buffer.from('0061736d0d0001000affffffff1f', 'hex'), '32-bit'],
    ['4 billion imports', component([10, leb(0xffff_ffff)]), '4294967295 imports announced'],
    ['bytes behind the last import', component([10, 0, 7]), '1 bytes left over'],
    ['an unknown prefix of a name', component([10, 1, 3, text('a'), 1, 0]), 'unknown prefix 3'],
    ['a name of 1,025 bytes', name('a'.repeat(1025)), '1025 bytes, limit 1024'],
    ['a name that is not UTF-8', name(Uint8Array.of(2, 0xc3, 0x28)), 'not UTF-8'],
    ['a control character', name('a\u001b[2J'), 'U+001B'],
    ['an override of direction', name('a\u202eb'), 'U+202E'],
    ['a zero-width character', name('a\u200bb'), 'U+200B'],
    ['an unknown type of an import', component([10, 1, 0, text('a'), 6, 0]), 'unknown type 6'],
    [
      'an import of a core function',
      component([10, 1, 0, text('a'), 0, 0, 0]),
      'only core modules',
    ],
    ['an export of a core function', component([11, 1, 0, text('a'), 0, 0, 0, 0]), 'core sort'],
    [
      'an attribute that comes twice',
      component([10, 1, 2, text('a'), 2, 2, text('x'), 2, text('y'), 1, 0]),
      'repeated name attribute',
    ],
    ['a nested module without header', component([1, text('nothing')]), 'wrong header'],
    ['a nested component without header', component([4, text('nothing')]), 'wrong header'],
    ['10,001 sections', component(...Array<[number]>(10_001).fill([3])), 'more than 10000'],
    [
      '1,001 imports in two sections',
      component(
        [
          10,
          leb(600),
          ...Array(600).fill(Buffer.concat([Uint8Array.of(0), text('a'), Uint8Array.of(1, 0)])),
        ],
        [
          10,
          leb(401),
          ...Array(401).fill(Buffer.concat([Uint8Array.of(0), text('a'), Uint8Array.of(1, 0)])),
        ],
      ),
      '1001 imports, limit 1000',
    ],
  ])('%s', (_name, bytes, sentence) => {
    expect(refusal(bytes)).toContain(sentence);
  });

  it('10,000 sections are the last that are read', () => {
    expect(refusal(component(...Array<[number]>(10_000).fill([3])))).toBeUndefined();
  });

  it('components nested without end', () => {
    let bytes = component();
    for (let depth = 0; depth < 200; depth += 1) bytes = component([4, bytes]);
    expect(refusal(bytes)).toContain('nested deeper than 16');
  });
});

describe('readBinary() throws plugin-fault and nothing else', () => {
  let small: Uint8Array;
  let plugin: Uint8Array;
  let module: Uint8Array;
  beforeAll(async () => {
    small = await fromWat(`(component (import "cuervo:host/fs@0.1.0" (instance))
      (core module $m (memory 1) (func (export "f"))) (core instance $i (instantiate $m))
      (component $c (import "f" (func))) (instance $s)
      (func $f (canon lift (core func $i "f"))) (instance (instantiate $c (with "f" (func $f))))
      (export "f" (func $f)))`);
    plugin = withSection(await emptyPlugin(), 'cuervo:plugin', '{}');
    module = await embeddedModule(['fs']);
  });

  it('for random bytes, with and without a header', () => {
    const header = fc.constantFrom('', '0061736d0d000100', '0061736d01000000', '0061736d');
    fc.assert(
      fc.property(header, fc.uint8Array({ maxLength: 400 }), (hex, rest) => {
        refusal(Buffer.concat([Buffer.from(hex, 'hex'), rest]));
      }),
      { seed, numRuns: 5_000 },
    );
  });

  it('for random sections of every id', () => {
    const section = fc.tuple(fc.nat({ max: 13 }), fc.uint8Array({ maxLength: 60 }));
    fc.assert(
      fc.property(fc.array(section, { maxLength: 8 }), fc.boolean(), (sections, ofModule) => {
        const bytes = component(...sections);
        if (ofModule) bytes.set([1, 0, 0, 0], 4);
        refusal(bytes);
      }),
      { seed, numRuns: 5_000 },
    );
  });

  it('for every truncation, and never reads a truncated import as another', () => {
    for (const bytes of [small, plugin, module]) {
      const whole = JSON.stringify(readBinary(bytes).imports);
      for (let length = 0; length < bytes.length; length += 1) {
        const cut = bytes.subarray(0, length);
        if (refusal(cut) !== undefined) continue;
        // cut between two sections: what is left of the imports is a beginning of all imports
        const left = JSON.stringify(readBinary(cut).imports);
        expect(whole.startsWith(left.slice(0, -1))).toBe(true);
      }
    }
  });

  it('for 10,000 flipped bits of real binaries', () => {
    let refused = 0;
    const flips = fc.tuple(fc.constantFrom('small', 'plugin', 'module'), fc.nat(), fc.nat(7));
    fc.assert(
      fc.property(flips, ([which, place, bit]) => {
        const bytes = Uint8Array.from({ small, plugin, module }[which] ?? small);
        const at = place % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
        if (refusal(bytes) !== undefined) refused += 1;
      }),
      { seed, numRuns: 10_000 },
    );
    // control: the flips did reach the parts that are read
    expect(refused).toBeGreaterThan(500);
    expect(refused).toBeLessThan(9_500);
  });

  it('for several changed bytes at once', () => {
    const change = fc.tuple(fc.nat(), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        const bytes = Uint8Array.from(small);
        for (const [place, value] of changes) bytes[place % bytes.length] = value;
        refusal(bytes);
      }),
      { seed, numRuns: 5_000 },
    );
  });
});
