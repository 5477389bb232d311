import { watCommand } from '../../support/wat-command.ts';

const packages = {
  io: `
    interface poll {
      resource pollable { block: func(); }
      poll: func(in: list<borrow<pollable>>) -> list<u32>;
    }
    interface streams {
      use poll.{pollable};
      resource input-stream {
        read: func(len: u64) -> result<list<u8>>;
        subscribe: func() -> pollable;
      }
    }`,
  cli: 'interface stdin { use wasi:io/streams@0.2.6.{input-stream}; get-stdin: func() -> input-stream; }',
  clocks: `interface monotonic-clock {
    use wasi:io/poll@0.2.6.{pollable};
    subscribe-duration: func(when: u64) -> pollable;
  }`,
  random: 'interface random { get-random-bytes: func(len: u64) -> list<u8>; }',
  sockets: `
    interface network { resource network; }
    interface instance-network { use network.{network}; instance-network: func() -> network; }
    interface tcp { resource tcp-socket; }
    interface tcp-create-socket {
      use tcp.{tcp-socket};
      enum error-code { unknown, access-denied }
      create-tcp-socket: func(family: bool) -> result<tcp-socket, error-code>;
    }`,
};
const core = `
  (import "wasi:cli/stdin@0.2.6" "get-stdin" (func $stdin (result i32)))
  (import "wasi:io/streams@0.2.6" "[method]input-stream.read" (func $read (param i32 i64 i32)))
  (import "wasi:io/streams@0.2.6" "[method]input-stream.subscribe" (func $subscribe (param i32) (result i32)))
  (import "wasi:io/poll@0.2.6" "[method]pollable.block" (func $block (param i32)))
  (import "wasi:io/poll@0.2.6" "poll" (func $poll (param i32 i32 i32)))
  (import "wasi:clocks/monotonic-clock@0.2.6" "subscribe-duration" (func $after (param i64) (result i32)))
  (import "wasi:random/random@0.2.6" "get-random-bytes" (func $random (param i64 i32)))
  (import "wasi:sockets/instance-network@0.2.6" "instance-network" (func $network (result i32)))
  (import "wasi:sockets/tcp-create-socket@0.2.6" "create-tcp-socket" (func $socket (param i32 i32)))`;
const imports = [
  ...['wasi:cli/stdin@0.2.6', 'wasi:io/streams@0.2.6', 'wasi:io/poll@0.2.6'],
  ...['wasi:clocks/monotonic-clock@0.2.6', 'wasi:random/random@0.2.6'],
  ...['wasi:sockets/instance-network@0.2.6', 'wasi:sockets/tcp-create-socket@0.2.6'],
];
const waiter = (run: string): Promise<string> =>
  watCommand({ name: 'wasi-waiter', packages, imports, core, run });

/** Waits for an instant that is 584 years away, then exits with 7. */
export const forever = (): Promise<string> =>
  waiter('(call $block (call $after (i64.const -1))) (call $exit (i32.const 7))');

/** Asks for this many bytes of standard input, and exits with the number it was given. */
export const reading = (length: string): Promise<string> =>
  waiter(`
    (call $read (call $stdin) (i64.const ${length}) (i32.const 128))
    (if (i32.load8_u (i32.const 128)) (then (call $exit (i32.const 200))))
    (call $exit (i32.load (i32.const 136)))`);

/** Asks for this many random bytes, and exits with 9. */
export const drawing = (length: string): Promise<string> =>
  waiter(`(call $random (i64.const ${length}) (i32.const 128)) (call $exit (i32.const 9))`);

/** Makes this many pollables that it keeps, and exits with 8. */
export const hoarding = (count: number): Promise<string> =>
  waiter(`
    (local.set $n (call $stdin))
    (loop $more
      (drop (call $subscribe (local.get $n)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $more (i32.lt_u (local.get $i) (i32.const ${count}))))
    (call $exit (i32.const 8))`);

/** Polls one pollable under this many names, and exits with how many were ready, up to 100. */
export const crowding = (count: number): Promise<string> =>
  waiter(`
    (local.set $n (call $subscribe (call $stdin)))
    (drop (memory.grow (i32.const 16)))
    (loop $more
      (i32.store (i32.add (i32.const 65536) (i32.mul (local.get $i) (i32.const 4))) (local.get $n))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $more (i32.lt_u (local.get $i) (i32.const ${count}))))
    (call $poll (i32.const 65536) (i32.const ${count}) (i32.const 128))
    (call $exit (i32.load (i32.const 132)))`);

/** Opens a socket: exits with 100 and the number of the error, with 50 when there is none. */
export const connecting = (): Promise<string> =>
  waiter(`
    (drop (call $network))
    (call $socket (i32.const 0) (i32.const 128))
    (if (i32.eqz (i32.load8_u (i32.const 128))) (then (call $exit (i32.const 50))))
    (call $exit (i32.add (i32.const 100) (i32.load8_u (i32.const 132))))`);
