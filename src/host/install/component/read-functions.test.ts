import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../../tests/support/runs.ts';
import { fromWat, fromWorld, leb, quickjsPlugin } from '../../../../tests/support/test-binaries.ts';
import { KernelError } from '../../../contracts/error.ts';
import { deriveTools } from './manifest-tools.ts';
import { readFunctions } from './read-functions.ts';

/** Kept, so that a failure comes again. */
const seed = 20_261_122;

const everyType = `package test:kinds@0.1.0;
  interface clocks { record instant { seconds: u64 } now: func() -> instant; }
  interface shapes {
    use clocks.{instant};
    record point { x-pos: s32, y-pos: option<s64> }
    variant shape { none, dot(point), many(list<point>) }
    flags perms { read-it, write-it }
    enum colour { dark-red, blue }
    type path = list<point>;
    draw: func(what: shape, how: perms, colours: colour) -> result<path, string>;
    later: func(than: instant) -> option<instant>;
    pair: func(bytes: list<u8>, both: tuple<char, f32>) -> tuple<bool, f64, s8, u16>;
  }
  interface things {
    resource thing { constructor(); go: func() -> u32; }
    make: func() -> thing;
    count: func() -> u64;
  }
  world w { import clocks; export shapes; export things; export add-one: func(a: s64) -> s64; }`;

function derive(bytes: Uint8Array): ReturnType<typeof deriveTools> {
  return deriveTools(readFunctions(bytes), { effect: 'pure', program: 'x' });
}

/** What was thrown, checked to be a refusal in one sentence; undefined when it could be read. */
function refusal(bytes: Uint8Array): string | undefined {
  try {
    derive(bytes);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof KernelError)) throw thrown;
    expect(thrown.code).toBe('plugin-fault');
    expect(thrown.message).toMatch(/^\P{C}{10,1500}$/u);
    return thrown.message;
  }
}

describe('readFunctions() of real components', () => {
  let bytes: Uint8Array;
  beforeAll(async () => {
    bytes = await fromWorld(everyType);
  });

  it('reads functions of the component and of its instances, with all of their types', () => {
    expect(derive(bytes).tools.map(({ description }) => description)).toEqual([
      'add-one: func(a: s64) -> s64',
      'draw: func(what: variant { none, dot(record { x-pos: s32, y-pos: option<s64> }), many(list<record { x-pos: s32, y-pos: option<s64> }>) }, how: flags { read-it, write-it }, colours: enum { dark-red, blue }) -> result<list<record { x-pos: s32, y-pos: option<s64> }>, string>, exported by test:kinds/shapes@0.1.0',
      'later: func(than: record { seconds: u64 }) -> option<record { seconds: u64 }>, exported by test:kinds/shapes@0.1.0',
      'pair: func(bytes: list<u8>, both: tuple<char, f32>) -> tuple<bool, f64, s8, u16>, exported by test:kinds/shapes@0.1.0',
      'count: func() -> u64, exported by test:kinds/things@0.1.0',
    ]);
  });

  it('names what takes or gives a resource, and offers the rest', () => {
    const { tools, withheld } = derive(bytes);
    expect(withheld).toEqual([
      '[constructor]thing of test:kinds/things@0.1.0: it takes or gives a resource',
      '[method]thing.go of test:kinds/things@0.1.0: it takes or gives a resource',
      'make of test:kinds/things@0.1.0: it takes or gives a resource',
    ]);
    expect(tools.map(({ name }) => name)).toContain('things-count');
  });

  it('gives each tool the schema of its input', () => {
    const { tools } = derive(bytes);
    expect(tools.find(({ name }) => name === 'shapes-pair')?.inputSchema).toEqual({
      type: 'object',
      properties: {
        bytes: {
          description: 'bytes: base64, or a list of numbers; given back as base64',
          anyOf: [
            { type: 'string', contentEncoding: 'base64' },
            { type: 'array', items: { type: 'integer', minimum: 0, maximum: 255 } },
          ],
        },
        both: {
          type: 'array',
          prefixItems: [
            { type: 'string', minLength: 1, maxLength: 1 },
            { anyOf: [{ type: 'number' }, { enum: ['NaN', 'Infinity', '-Infinity'] }] },
          ],
          items: false,
          minItems: 2,
        },
      },
      required: ['bytes', 'both'],
      additionalProperties: false,
    });
  });

  it('never offers the init of a QuickJS component', async () => {
    const { tools, withheld } = derive(await quickjsPlugin());
    expect(tools.map(({ name }) => name)).toEqual(['tools-describe', 'tools-call']);
    expect(withheld).toEqual(['init: its toolchain calls it once, when the component is built']);
  });

  it('makes one tool of a program', async () => {
    const program = await fromWorld(
      'package wasi:cli@0.2.3; interface run { run: func() -> result; } world w { export run; }',
    );
    expect(derive(program)).toMatchObject({
      tools: [{ name: 'run' }],
      adapter: { run: { kind: 'command', instance: 'wasi:cli/run@0.2.3', program: 'x' } },
    });
  });

  it('tells functions of two versions or packages apart by longer names', async () => {
    const versions = await fromWorld(`package a:b@1.0.0;
      world w { export x:y/one@0.1.0; export x:y/one@0.2.0; export z:y/one; export one-two: func(); }
      package x:y@0.1.0 { interface one { two: func(); only: func(); } }
      package x:y@0.2.0 { interface one { two: func(); } }
      package z:y { interface one { two: func(); } }`);
    const { tools, reasons, adapter } = derive(versions);
    expect(reasons).toEqual([]);
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'one-only',
      'one-two',
      'x-y-one-0-1-0-two',
      'x-y-one-0-2-0-two',
      'z-y-one-two',
    ]);
    expect(adapter['x-y-one-0-2-0-two']).toMatchObject({ instance: 'x:y/one@0.2.0', name: 'two' });
    expect(adapter['one-two']).not.toHaveProperty('instance');
  });

  it('refuses two functions that would be one tool by their long names, too', async () => {
    const twice = await fromWorld(`package a:b;
      interface one { two: func(); }
      world w { export one; export one-two: func(); export a-b-one-two: func(); }`);
    expect(derive(twice).reasons).toEqual([
      'two of its functions would be called a-b-one-two, one is two of a:b/one',
    ]);
  });

  it('says what serves HTTP', async () => {
    const proxy = await fromWorld(`package wasi:http@0.2.0;
      interface incoming-handler { resource request; handle: func(request: request); }
      world w { export incoming-handler; }`);
    expect(derive(proxy).withheld).toContain(
      'handle of wasi:http/incoming-handler@0.2.0: it serves HTTP requests, and cuervo sends none to a plugin',
    );
  });

  it('offers a function that is asynchronous, and says so', async () => {
    const bytesOf = await fromWat(`(component
      (core module $m (func (export "f") (result i32) i32.const 0) (func (export "c") (param i32 i32 i32) (result i32) i32.const 0))
      (core instance $i (instantiate $m))
      (type $t (func async))
      (func $f (type $t) (canon lift (core func $i "f") async (callback (core func $i "c"))))
      (export "slow" (func $f)))`);
    const { tools, withheld } = derive(bytesOf);
    expect(withheld).toEqual([]);
    expect(tools.map(({ description }) => description)).toEqual(['slow: async func()']);
  });

  it('reads what follows each built-in, and refuses those it does not serve by name', async () => {
    const every = await fromWat(`(component
      (core module $m (memory (export "m") 1)
        (func (export "r") (param i32 i32 i32 i32) (result i32) unreachable))
      (core instance $i (instantiate $m))
      (alias core export $i "m" (core memory $mem))
      (alias core export $i "r" (core func $real))
      (type $s (stream u8))
      (type $f (future string))
      (canon task.return (result u32) (core func))
      (canon task.return (core func))
      (canon task.cancel (core func))
      (canon context.get i32 0 (core func))
      (canon context.set i32 0 (core func))
      (canon backpressure.inc (core func))
      (canon subtask.cancel async (core func))
      (canon subtask.drop (core func))
      (canon stream.new $s (core func))
      (canon stream.read $s async (memory $mem) (core func))
      (canon stream.cancel-read $s async (core func))
      (canon stream.drop-readable $s (core func))
      (canon future.write $f async (memory $mem) (realloc $real) (core func))
      (canon waitable-set.wait (memory $mem) (core func))
      (canon waitable.join (core func))
      (import "last" (func $g (param "a" u8)))
      (export "last" (func $g)))`);
    expect(derive(every).tools.map(({ name }) => name)).toEqual(['last']);
    for (const name of ['error-context.drop', 'thread.index']) {
      const bytes = await fromWat(`(component (canon ${name} (core func)))`);
      expect(refusal(bytes)).toContain(
        `it takes a built-in that this version does not support: ${name}`,
      );
    }
  });

  it('refuses a function that would wait on a stack of its own', async () => {
    const bytes = await fromWat(`(component
      (core module $m (func (export "f")))
      (core instance $i (instantiate $m))
      (func (export "f") async (canon lift (core func $i "f") async)))`);
    expect(refusal(bytes)).toContain('does not support: async without callback');
  });

  it('tells a stream of a parameter as a list, a future as its value, and refuses one inside of a value', async () => {
    const bytes = await fromWat(`(component
      (type $s (stream u8))
      (type $o (option $s))
      (type $f (future u8))
      (type $n (future))
      (import "f" (func $f (param "s" $s)))
      (import "o" (func $o (param "s" $o)))
      (import "t" (func $t (param "s" $f)))
      (import "n" (func $n (param "s" $n)))
      (export "whole" (func $f)) (export "inside" (func $o)) (export "later" (func $t))
      (export "bare" (func $n)))`);
    const { tools, withheld } = derive(bytes);
    expect(tools.map(({ description }) => description)).toEqual([
      'whole: func(s: stream<u8>)',
      'later: func(s: future<u8>)',
    ]);
    expect(withheld).toEqual([
      'inside: it takes or gives a stream inside of another value',
      'bare: it takes or gives a future of nothing',
    ]);
  });
});

describe('readFunctions() of hostile components', () => {
  it('does not write out types that double with each name', async () => {
    const types = Array.from(
      { length: 60 },
      (_, index) => `(type $t${index + 1} (tuple $t${index} $t${index}))`,
    );
    const bytes = await fromWat(`(component (type $t0 (list u8)) ${types.join(' ')}
      (import "f" (func $f (param "a" $t60))) (export "g" (func $f)))`);
    expect(derive(bytes).withheld).toEqual([
      expect.stringMatching(/^g: its types (have more than 1000 parts|are nested deeper than 24)/),
    ]);
  });

  it('refuses more parts than it decodes', () => {
    // An enum of 200,000 names of one letter: a section of 400 kB.
    const names = Buffer.alloc(400_000, Buffer.from([1, 97]));
    expect(
      refusal(withTypes(Buffer.concat([Uint8Array.of(1, 0x6d), leb(200_000), names]))),
    ).toMatch(/more than 100000 parts/);
  });

  it('refuses counts above what the file holds before it allocates for them', () => {
    const lies = [
      [0x6d, 0xff, 0xff, 0xff, 0xff, 0x0f],
      [0x72, 0xff, 0xff, 0xff, 0x7f],
      [0x42, 0xff, 0xff, 0xff, 0x7f],
      [0x40, 0xff, 0xff, 0xff, 0x7f],
    ];
    for (const lie of lies) {
      expect(refusal(withTypes(Uint8Array.of(1, ...lie)))).toMatch(/announced/);
    }
    expect(refusal(withTypes(Uint8Array.of(0xff, 0xff, 0xff, 0x7f)))).toMatch(/announced/);
  });

  it('refuses an index of nothing, also where it is written with more bytes than it needs', () => {
    for (const index of [
      [0x05],
      [0xff, 0xff, 0xff, 0xff, 0x0f],
      [0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
    ]) {
      expect(refusal(withTypes(Uint8Array.of(1, 0x70, ...index)))).toMatch(
        /type \d+ is not defined|not a number of 32 bits/,
      );
    }
  });

  it('refuses types of instances in types of instances without end', () => {
    const deep = Buffer.concat(Array.from({ length: 5_000 }, () => Uint8Array.of(0x42, 1, 1)));
    expect(refusal(withTypes(Buffer.concat([Uint8Array.of(1), deep])))).toMatch(
      /nested deeper than 16/,
    );
  });
});

describe('readFunctions() throws plugin-fault and nothing else', () => {
  let real: Uint8Array;
  beforeAll(async () => {
    real = await fromWorld(everyType);
  });

  it('for random types', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (body) => {
        refusal(withTypes(body));
      }),
      { seed, numRuns: runs(3_000) },
    );
  });

  it('for random types of every form', () => {
    const tag = fc.integer({ min: 0x3e, max: 0x7f });
    const small = fc.nat({ max: 8 });
    const type = fc.tuple(tag, fc.array(fc.oneof(small, tag), { maxLength: 12 }));
    fc.assert(
      fc.property(fc.array(type, { minLength: 1, maxLength: 6 }), (types) => {
        const body = types.flatMap(([first, rest]) => [first, ...rest]);
        refusal(withTypes(Uint8Array.of(types.length, ...body)));
      }),
      { seed, numRuns: runs(3_000) },
    );
  });

  it('for changed bytes of a component with every type', () => {
    let refused = 0;
    const change = fc.tuple(fc.nat(), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const bytes = Uint8Array.from(real);
        for (const [place, value] of changes) bytes[8 + (place % (bytes.length - 8))] = value;
        if (refusal(bytes) !== undefined) refused += 1;
      }),
      { seed, numRuns: runs(3_000) },
    );
    // control: the changes did reach what is read
    expect(refused).toBeGreaterThan(runs(300));
    expect(refused).toBeLessThan(3_000);
  });
});

/** A component of one type section. */
function withTypes(body: Uint8Array): Uint8Array {
  const header = Uint8Array.of(0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0);
  return Buffer.concat([header, Uint8Array.of(7), leb(body.length), body]);
}
