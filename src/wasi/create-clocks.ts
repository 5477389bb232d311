import { inBoth } from './create-cli.ts';
import { type WasiPorts, wasiLimits } from './gate-ports.ts';
import type { Readiness } from './io/create-io.ts';
import { defineResource, lengthOf, type ResourceCount, u64Of, WasiFailure } from './resource.ts';
import { createWaits } from './three/waits.ts';

const nsPerMs = 1_000_000n;
const nsPerSecond = 1_000_000_000n;
const maxU64 = (1n << 64n) - 1n;

/** The time for a guest without the grant: the first second of 2020, UTC, in every call. */
const fixedStartNs = 1_577_836_800n * nsPerSecond;
/** Each look at the fixed clock moves it, so that a guest that waits goes on. */
const fixedTickNs = nsPerMs;
/** The longest sleep of `Atomics.wait`; a longer one is made of several. */
const maxSleepMs = 60_000;

export type WasiClocks = {
  imports: Record<string, object>;
  sleepUntilNs(instant: bigint): void;
  reset(): void;
};

/**
 * `wasi:clocks`. Real time only where `clock` is granted and the tool's effect allows it; else
 * a clock that starts anew with each call, ticks when it is read and jumps when a guest
 * sleeps, which then takes no time.
 */
export function createClocks(
  ports: WasiPorts,
  pollable: (readiness: Readiness) => object,
): WasiClocks {
  let passedNs = 0n;
  let reported = new Set<string>();
  const sleeper = new Int32Array(new SharedArrayBuffer(4));

  const isReal = (): boolean => ports.allows('clock', 'clock.now-ms');

  /** Programs read clocks all the time: the journal gets the first reading of each. */
  function note(target: string): void {
    if (reported.has(target)) return;
    ports.admit('clock', 'clock.now-ms');
    reported.add(target);
    ports.report({ call: 'clock.now-ms', target, outcome: 'ok', durationMs: 0 });
  }

  function tick(): bigint {
    passedNs += fixedTickNs;
    return passedNs;
  }

  function monotonicNs(): bigint {
    return isReal() ? process.hrtime.bigint() : passedNs;
  }

  function now(): bigint {
    if (!isReal()) return tick();
    note('monotonic');
    return process.hrtime.bigint();
  }

  function wallNow(): { seconds: bigint; nanoseconds: number } {
    if (!isReal()) return toDatetime(fixedStartNs + tick());
    note('wall');
    return toDatetime(BigInt(Date.now()) * nsPerMs);
  }

  /** Blocks; the kernel ends the process at the deadline of the call. */
  function sleepUntilNs(instant: bigint): void {
    if (!isReal()) {
      if (instant > passedNs) passedNs = instant;
      return;
    }
    note('sleep');
    for (;;) {
      const left = instant - process.hrtime.bigint();
      if (left <= 0n) return;
      const ms = Number(left) / Number(nsPerMs);
      Atomics.wait(sleeper, 0, 0, Math.min(ms, maxSleepMs));
    }
  }

  function subscribeInstant(when: unknown): object {
    const dueNs = u64Of(when);
    return pollable({ dueNs, isReady: () => monotonicNs() >= dueNs });
  }

  const waits = createWaits({
    isReal,
    note: () => note('sleep'),
    pass: sleepUntilNs,
  });
  const resolution = (): bigint => (isReal() ? 1n : fixedTickNs);
  const dueIn = (duration: unknown): bigint => {
    const due = monotonicNs() + u64Of(duration);
    return due > maxU64 ? maxU64 : due;
  };

  return {
    imports: {
      'wasi3:clocks/types': {},
      'wasi3:clocks/system-clock': { now: wallNow, getResolution: () => nsPerMs },
      'wasi3:clocks/monotonic-clock': {
        now,
        getResolution: resolution,
        waitUntil: (when: unknown) => waits.until(u64Of(when)),
        waitFor: (duration: unknown) => waits.until(dueIn(duration)),
      },
      'wasi:clocks/wall-clock': { now: wallNow, resolution: () => toDatetime(nsPerMs) },
      'wasi:clocks/monotonic-clock': {
        now,
        resolution,
        subscribeInstant,
        subscribeDuration: (duration: unknown) => subscribeInstant(dueIn(duration)),
      },
      'wasi:clocks/timezone': {
        display: () => ({ utcOffset: 0, name: 'UTC', inDaylightSavingTime: false }),
        utcOffset: () => 0,
      },
    },
    sleepUntilNs,
    reset: () => {
      passedNs = 0n;
      reported = new Set();
      waits.reset();
    },
  };
}

function toDatetime(ns: bigint): { seconds: bigint; nanoseconds: number } {
  return { seconds: ns / nsPerSecond, nanoseconds: Number(ns % nsPerSecond) };
}

/** Asked of the kernel at once: programs ask for eight bytes, many times. */
const refillBytes = 4096;
/** Most that the kernel gives in one call, as WIT says. */
const maxKernelBytes = 65_536;
/** Seed of the stream for a guest without the grant; any number but zero. */
const fixedSeed = 0x9e3779b97f4a7c15n;
const mask = (1n << 64n) - 1n;

export type WasiRandom = { imports: Record<string, object>; reset(): void };

/**
 * `wasi:random`. Random bytes of the kernel where `random` is granted and the tool's effect
 * allows it; else a stream that is the same in every call: programs seed their hash tables
 * and go on, and learn nothing that no grant covers.
 *
 * @remarks A kernel that refuses a granted request (the limit of host calls) traps the guest:
 *   there is no error in these functions, and fixed bytes must not pass for random ones.
 */
export function createRandom(ports: WasiPorts): WasiRandom {
  let stock: Uint8Array = new Uint8Array();
  let state = fixedSeed;
  let seed: [bigint, bigint] | undefined;

  const isReal = (): boolean => ports.allows('random', 'random.bytes');

  function draw(length: number): Uint8Array {
    ports.admit('random', 'random.bytes');
    const drawn = ports.askKernel('random.bytes', [length]);
    if (drawn instanceof Uint8Array && drawn.length === length) return drawn;
    throw new TypeError('the kernel answered with no bytes');
  }

  function realBytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let filled = 0; filled < length; ) {
      if (stock.length === 0) {
        stock = draw(Math.min(Math.max(refillBytes, length - filled), maxKernelBytes));
      }
      const taken = stock.subarray(0, length - filled);
      bytes.set(taken, filled);
      stock = stock.subarray(taken.length);
      filled += taken.length;
    }
    return bytes;
  }

  /** xorshift64*, for no more than being the same each time. */
  function fixedU64(): bigint {
    state ^= state >> 12n;
    state = (state ^ (state << 25n)) & mask;
    state ^= state >> 27n;
    return (state * 0x2545f4914f6cdd1dn) & mask;
  }

  function fixedBytes(length: number): Uint8Array {
    const bytes = new Uint8Array(Math.ceil(length / 8) * 8);
    const view = new DataView(bytes.buffer);
    for (let at = 0; at < bytes.length; at += 8) view.setBigUint64(at, fixedU64(), true);
    return bytes.subarray(0, length);
  }

  function bytes(length: unknown): Uint8Array {
    const wanted = lengthOf(length, wasiLimits.randomBytes + 1);
    if (wanted > wasiLimits.randomBytes) {
      throw new RangeError(`more than ${wasiLimits.randomBytes} random bytes in one request`);
    }
    return isReal() ? realBytes(wanted) : fixedBytes(wanted);
  }

  function u64(): bigint {
    const drawn = bytes(8n);
    return new DataView(drawn.buffer, drawn.byteOffset, 8).getBigUint64(0, true);
  }

  /** A seed is one for as long as the call runs, whoever asks for it. */
  function insecureSeed(): [bigint, bigint] {
    seed ??= [u64(), u64()];
    return seed;
  }

  return {
    imports: {
      ...inBoth({
        'random/random': { getRandomBytes: bytes, getRandomU64: u64 },
        'random/insecure': { getInsecureRandomBytes: bytes, getInsecureRandomU64: u64 },
      }),
      'wasi:random/insecure-seed': { insecureSeed },
      'wasi3:random/insecure-seed': { getInsecureSeed: insecureSeed },
    },
    reset: () => {
      stock = new Uint8Array();
      state = fixedSeed;
      seed = undefined;
    },
  };
}

/** The methods of `wasi:sockets` by resource, as the glue names them. */
const tcpMethods = [
  ...['startBind', 'finishBind', 'startConnect', 'finishConnect', 'startListen', 'finishListen'],
  ...['accept', 'localAddress', 'remoteAddress', 'isListening', 'addressFamily'],
  ...['setListenBacklogSize', 'keepAliveEnabled', 'setKeepAliveEnabled', 'keepAliveIdleTime'],
  ...['setKeepAliveIdleTime', 'keepAliveInterval', 'setKeepAliveInterval', 'keepAliveCount'],
  ...['setKeepAliveCount', 'hopLimit', 'setHopLimit', 'receiveBufferSize'],
  ...['setReceiveBufferSize', 'sendBufferSize', 'setSendBufferSize', 'subscribe', 'shutdown'],
];
const udpMethods = [
  ...['startBind', 'finishBind', 'stream', 'localAddress', 'remoteAddress', 'addressFamily'],
  ...['unicastHopLimit', 'setUnicastHopLimit', 'receiveBufferSize', 'setReceiveBufferSize'],
  ...['sendBufferSize', 'setSendBufferSize', 'subscribe'],
];

/**
 * `wasi:sockets`: known, so that programs which could use the network start, and always denied. No
 * socket is ever made, so the methods have nothing to act on.
 */
export function createSockets(
  ports: Pick<WasiPorts, 'admit'> & { count: ResourceCount },
): Record<string, object> {
  function deny(name: string): () => never {
    return () => {
      try {
        // Denies and notes it.
        ports.admit('network', `network.${name}`);
      } catch {
        // A guest learns no more of it than the code that follows.
      }
      throw new WasiFailure('access-denied');
    };
  }
  const { count } = ports;
  const define = (name: string, methods: readonly string[] = []): object => {
    const denied = methods.map((method) => [method, deny(method)] as const);
    return defineResource({ name, count, methods: Object.fromEntries(denied) }).face;
  };
  const networks = defineResource({ name: 'network', count, methods: {} });
  const none = (): undefined => undefined;

  return {
    'wasi:sockets/instance-network': { instanceNetwork: () => networks.make({}) },
    'wasi:sockets/network': { Network: networks.face, networkErrorCode: none },
    'wasi:sockets/ip-name-lookup': {
      resolveAddresses: deny('resolve-addresses'),
      ResolveAddressStream: define('resolve-address-stream', ['resolveNextAddress', 'subscribe']),
    },
    'wasi:sockets/tcp': { TcpSocket: define('tcp-socket', tcpMethods) },
    'wasi:sockets/tcp-create-socket': { createTcpSocket: deny('create-tcp-socket') },
    'wasi:sockets/udp': {
      UdpSocket: define('udp-socket', udpMethods),
      IncomingDatagramStream: define('incoming-datagram-stream', ['receive', 'subscribe']),
      OutgoingDatagramStream: define('outgoing-datagram-stream', [
        ...['checkSend', 'send', 'subscribe'],
      ]),
    },
    'wasi:sockets/udp-create-socket': { createUdpSocket: deny('create-udp-socket') },
  };
}
