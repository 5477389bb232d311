import { componentEmbed, componentNew, parse } from '@bytecodealliance/jco-transpile/wasm-tools';

/** A component of a core module in text and a world `w` in WIT: no plugin, a stranger's. */
export async function watWorld(core: string, witSource: string): Promise<Uint8Array> {
  const binary = await parse(core);
  const embedded = await componentEmbed({ binary, witSource, world: 'w', stringEncoding: 'utf8' });
  return await componentNew(embedded, []);
}

/** Adds two 64-bit integers. */
export const exactAdder = (): Promise<Uint8Array> =>
  watWorld(
    `(module (memory (export "memory") 1)
      (func (export "add") (param i64 i64) (result i64) (i64.add (local.get 0) (local.get 1))))`,
    'package test:exact@0.1.0; world w { export add: func(a: s64, b: s64) -> s64; }',
  );

/**
 * How deep an option of an option of an option of a record is there, or the record's number. The
 * record is of an interface that the component imports for its types.
 */
export const deepOption = (): Promise<Uint8Array> =>
  watWorld(
    `(module (memory (export "memory") 1)
      (func (export "depth") (param i32 i32 i32 i32) (result i32)
        (if (i32.eqz (local.get 0)) (then (return (i32.const 0))))
        (if (i32.eqz (local.get 1)) (then (return (i32.const 1))))
        (if (i32.eqz (local.get 2)) (then (return (i32.const 2))))
        (local.get 3)))`,
    `package test:deep@0.1.0;
      interface types { record point { x: u32 } }
      world w {
        use types.{point};
        export depth: func(of: option<option<option<point>>>) -> u32;
      }`,
  );

/** Functions with every type that a value can have; each traps when it is called. */
export const everyType = async (): Promise<Uint8Array> => {
  const witSource = `package test:kinds@0.1.0;
    interface shapes {
      record point { x-pos: s32, y-pos: option<s64> }
      variant shape { none, dot(point), many(list<point>) }
      flags perms { read-it, write-it }
      enum colour { dark-red, blue }
      draw: func(what: shape, how: perms, colours: colour) -> result<list<point>, string>;
      pair: func(bytes: list<u8>, both: tuple<char, f32>) -> tuple<bool, f64, s8, u16>;
    }
    interface things { resource thing { constructor(); go: func() -> u32; } count: func() -> u64; }
    world w { export shapes; export things; export add-one: func(a: s64) -> s64; }`;
  const embedded = await componentEmbed({
    witSource,
    world: 'w',
    dummy: true,
    stringEncoding: 'utf8',
  });
  return await componentNew(embedded, []);
};

/**
 * A WASI preview-1 program that copies its standard input to its standard output, writes `!` to
 * standard error and ends with exit code 3 when the input is empty.
 */
export const copyProgram = (): Promise<Uint8Array> =>
  parse(`(module
    (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
    (memory (export "memory") 2)
    (data (i32.const 100) "!")
    (func (export "_start")
      (local $all i32)
      (block $done (loop $more
        (i32.store (i32.const 0) (i32.const 1024))
        (i32.store (i32.const 4) (i32.const 65536))
        (br_if $done (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
        (br_if $done (i32.eqz (i32.load (i32.const 8))))
        (local.set $all (i32.const 1))
        (i32.store (i32.const 4) (i32.load (i32.const 8)))
        (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))
        (br $more)))
      (i32.store (i32.const 0) (i32.const 100))
      (i32.store (i32.const 4) (i32.const 1))
      (drop (call $write (i32.const 2) (i32.const 0) (i32.const 1) (i32.const 8)))
      (if (i32.eqz (local.get $all)) (then (call $exit (i32.const 3))))))`);

/**
 * A WASI preview-1 program whose allocator is that of Go: what it grows is taken to lie behind what
 * there was when it started. It says `a`, takes 150 megabytes, fills them and says `b`.
 */
export const contiguousProgram = (): Promise<Uint8Array> =>
  parse(`(module (@producers (language "Go" "go1.26"))
    (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
    (memory (export "memory") 2)
    (data (i32.const 100) "ab")
    (func $say (param $at i32)
      (i32.store (i32.const 0) (local.get $at))
      (i32.store (i32.const 4) (i32.const 1))
      (if (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)) (then unreachable)))
    (func (export "_start") (local $lacks i32)
      (local.set $lacks (i32.sub (i32.const 2402) (memory.size)))
      (call $say (i32.const 100))
      (if (i32.gt_s (local.get $lacks) (i32.const 0)) (then
        (if (i32.lt_s (memory.grow (local.get $lacks)) (i32.const 0)) (then unreachable))))
      (memory.fill (i32.const 131072) (i32.const 255) (i32.const 157286400))
      (call $say (i32.const 101))))`);

/** A library for WASI preview 1 that says nothing of the types of its exports. */
export const untypedLibrary = (): Promise<Uint8Array> =>
  parse(`(module
    (import "wasi_snapshot_preview1" "sched_yield" (func (result i32)))
    (memory (export "memory") 1)
    (func (export "_initialize"))
    (func (export "add") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1))))`);

/** A function that opens `x` and gives the error "x", as a library for WASI preview 1. */
export const failingLookup = async (): Promise<Uint8Array> =>
  await componentEmbed({
    binary: await parse(`(module
      (import "wasi_snapshot_preview1" "path_open"
        (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
      (memory (export "memory") 1)
      (data (i32.const 0) "\\01\\00\\00\\00\\64\\00\\00\\00\\01\\00\\00\\00")
      (data (i32.const 100) "x")
      (func (export "look") (result i32)
        (drop (call $open (i32.const 3) (i32.const 0) (i32.const 100) (i32.const 1) (i32.const 0)
          (i64.const 2) (i64.const 0) (i32.const 0) (i32.const 200)))
        (i32.const 0)))`),
    witSource: 'package test:look@0.1.0; world w { export look: func() -> result<u8, string>; }',
    world: 'w',
    stringEncoding: 'utf8',
  });

/** A WASI preview-1 program that ends with `exit(-1)`, as programs of C do. */
export const exitingProgram = (): Promise<Uint8Array> =>
  parse(`(module
    (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
    (memory (export "memory") 1)
    (func (export "_start") (call $exit (i32.const -1))))`);

/** A program for a runtime that has added a function of its own to those of preview 1. */
export const dialectProgram = (): Promise<Uint8Array> =>
  parse(`(module
    (import "wasi_snapshot_preview1" "sock_open" (func (param i32 i32 i32) (result i32)))
    (memory (export "memory") 1)
    (func (export "_start")))`);

/** A program that starts threads, which preview 1 does not have. */
export const threadedProgram = (): Promise<Uint8Array> =>
  parse(`(module
    (import "wasi_snapshot_preview1" "sched_yield" (func (result i32)))
    (import "wasi" "thread-spawn" (func (param i32) (result i32)))
    (memory (export "memory") 1)
    (func (export "_start")))`);
