import { u64Of } from './guest-argument.ts';
import type { Readiness } from './io/create-polling.ts';
import type { WasiPorts } from './wasi-ports.ts';

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

  return {
    imports: {
      'wasi:clocks/wall-clock': { now: wallNow, resolution: () => toDatetime(nsPerMs) },
      'wasi:clocks/monotonic-clock': {
        now,
        resolution: () => (isReal() ? 1n : fixedTickNs),
        subscribeInstant,
        subscribeDuration: (duration: unknown) => {
          const due = monotonicNs() + u64Of(duration);
          return subscribeInstant(due > maxU64 ? maxU64 : due);
        },
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
    },
  };
}

function toDatetime(ns: bigint): { seconds: bigint; nanoseconds: number } {
  return { seconds: ns / nsPerSecond, nanoseconds: Number(ns % nsPerSecond) };
}
