import { lengthOf } from './guest-argument.ts';
import { wasiLimits } from './wasi-limits.ts';
import type { WasiPorts } from './wasi-ports.ts';

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
      'wasi:random/random': { getRandomBytes: bytes, getRandomU64: u64 },
      'wasi:random/insecure': { getInsecureRandomBytes: bytes, getInsecureRandomU64: u64 },
      'wasi:random/insecure-seed': { insecureSeed },
    },
    reset: () => {
      stock = new Uint8Array();
      state = fixedSeed;
      seed = undefined;
    },
  };
}
