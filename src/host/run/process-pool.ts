import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { KernelError } from '../../contracts/error.ts';
import type { PluginProcess } from './plugin-process.ts';

/** Faults in a row after which a plugin is called no more. */
const maxFaults = 3;
/** Before the next call after the first fault; doubled with each that follows. */
const firstPauseMs = 100;

/**
 * Keeps a plugin that dies at every call from being started over and over, as a model that
 * tries again and again would do. It counts in one process of cuervo: whoever types a command
 * once more means it.
 */
export type CrashBackoff = {
  /**
   * Waits as long as the faults before ask for; undefined where there is nothing to wait for.
   *
   * @throws {KernelError} `unavailable` when the plugin is paused
   */
  admit(signal: AbortSignal): Promise<void> | undefined;
  /** A call ended: with what the plugin's fault was, or without one. */
  note(fault: string | undefined): void;
  /** why it is paused */
  paused(): string | undefined;
};

/** @param who for messages, e.g. `plugin "csv"` */
export function createCrashBackoff(
  who: string,
  nowMs: () => number = () => performance.now(),
): CrashBackoff {
  let inRow = 0;
  let last = '';
  let openFromMs = 0;

  const paused = (): string | undefined =>
    inRow < maxFaults
      ? undefined
      : `${who} failed ${inRow} times in a row and is paused; its last error: ${last}`;

  return {
    paused,
    admit: (signal) => {
      if (inRow === 0) return undefined;
      const reason = paused();
      if (reason !== undefined) {
        throw new KernelError('unavailable', reason, {
          hint: 'Start cuervo again to try it once more, or install another version of it.',
        });
      }
      const waitMs = openFromMs - nowMs();
      if (waitMs <= 0) return undefined;
      return sleep(waitMs, undefined, { signal }).catch(() => {
        throw KernelError.from(signal.reason, 'canceled');
      });
    },
    note: (fault) => {
      inRow = fault === undefined ? 0 : inRow + 1;
      last = fault ?? '';
      openFromMs = inRow === 0 ? 0 : nowMs() + firstPauseMs * 2 ** (inRow - 1);
    },
  };
}

/** More processes than cores only take memory from each other. */
const maxProcesses = Math.max(2, Math.min(4, availableParallelism()));

/**
 * How long a call waits for a process that is busy before another one is started, which takes about as
 * much of a processor: a short call is done by then, and a long one waits little beside its own time.
 */
const patienceMs = 150;

/** The processes of one plugin: a call has one for itself. The caller owns it. */
export type ProcessPool = AsyncDisposable & {
  /** Starts a process when there is none. */
  warm(): void;
  /**
   * An idle process, the first one, or the next that becomes idle; below the limit, another one where
   * none does so within 150 ms. A nested call gets another one above the limit, too: those that run may
   * wait for it. Where it has to wait, another one is made ready, since a script makes many.
   *
   * @throws {KernelError} `canceled` when the signal fired or the pool was closed
   */
  take(
    signal: AbortSignal,
    options?: { isNested?: boolean },
  ): PluginProcess | Promise<PluginProcess>;
  /**
   * An idle process that is ready now. Where there is none it starts one, for the next time, and
   * returns undefined.
   */
  takeReady(): PluginProcess | undefined;
  /** Gives back what `take` or `takeReady` gave; an ended process is dropped. */
  give(process: PluginProcess): void;
};

type Waiting = { resolve(process: PluginProcess): void; reject(reason: unknown): void };

/** @param start given whether a call waits for the process, or it is started ahead */
export function createProcessPool(start: (isAwaited: boolean) => PluginProcess): ProcessPool {
  const all = new Set<PluginProcess>();
  const idle: PluginProcess[] = [];
  const queue: Waiting[] = [];
  let closed = false;

  const startOne = (isAwaited: boolean): PluginProcess => {
    const process = start(isAwaited);
    all.add(process);
    return process;
  };

  const takeIdle = (): PluginProcess | undefined => {
    for (let ready = idle.pop(); ready !== undefined; ready = idle.pop()) {
      if (!ready.ended) return ready;
      all.delete(ready);
    }
    return undefined;
  };

  let isGrowing = false;
  /** Starts one that is given when it is ready, and not waited for before. */
  const grow = (): void => {
    if (isGrowing || all.size >= maxProcesses) return;
    const made = startOne(false);
    isGrowing = true;
    const arrive = (): void => {
      isGrowing = false;
      if (!closed) give(made);
    };
    made.ready().then(arrive, arrive);
  };

  /** Waits for one that is given back, and when its patience ends for another one. */
  const waitForOne = (signal: AbortSignal, isNested: boolean): Promise<PluginProcess> => {
    const { promise, resolve, reject } = Promise.withResolvers<PluginProcess>();
    const waiting: Waiting = { resolve, reject };
    queue.push(waiting);
    if (isNested) grow();
    const leave = (): void => {
      const index = queue.indexOf(waiting);
      if (index >= 0) queue.splice(index, 1);
    };
    const patience = setTimeout(() => {
      const ready = takeIdle();
      if (ready === undefined && all.size >= maxProcesses && !isNested) return;
      leave();
      try {
        resolve(ready ?? startOne(true));
      } catch (thrown) {
        reject(thrown);
      }
    }, patienceMs);
    const cancel = (): void => {
      leave();
      reject(KernelError.from(signal.reason, 'canceled'));
    };
    signal.addEventListener('abort', cancel, { once: true });
    return promise.finally(() => {
      clearTimeout(patience);
      signal.removeEventListener('abort', cancel);
    });
  };

  const give = (process: PluginProcess): void => {
    if (process.ended) all.delete(process);
    const next = queue.shift();
    if (next === undefined) {
      if (all.size <= maxProcesses) {
        if (!process.ended) idle.push(process);
        return;
      }
      all.delete(process);
      // Nobody waits for its end; closing the pool would not either for one that ended.
      process[Symbol.asyncDispose]().then(undefined, () => {});
      return;
    }
    try {
      next.resolve(process.ended ? startOne(true) : process);
    } catch (thrown) {
      next.reject(thrown);
    }
  };

  return {
    warm: () => {
      if (all.size === 0 && !closed) idle.push(startOne(false));
    },
    take: (signal, { isNested = false } = {}) => {
      const ready = takeIdle();
      if (ready !== undefined) return ready;
      if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
      if (closed) throw poolClosed();
      return all.size === 0 ? startOne(true) : waitForOne(signal, isNested);
    },
    takeReady: () => {
      const at = idle.findIndex((process) => process.isReady && !process.ended);
      if (at >= 0) return idle.splice(at, 1)[0];
      if (all.size < maxProcesses && !closed) idle.push(startOne(false));
      return undefined;
    },
    give,
    [Symbol.asyncDispose]: async () => {
      closed = true;
      // Those that are given back now would start one for whoever waits.
      for (const { reject } of queue.splice(0)) reject(poolClosed());
      await Promise.all([...all].map((process) => process[Symbol.asyncDispose]()));
      all.clear();
    },
  };
}

function poolClosed(): KernelError {
  return new KernelError('canceled', 'the processes of the plugin were closed');
}
