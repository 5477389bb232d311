import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { KernelError } from '../../contracts/error.ts';
import type { PluginProcess } from './plugin-process.ts';

/** Faults in a row after which a plugin is called no more. */
const maxFaults = 3;
/** Before the next call after the first fault; doubled with each that follows. */
const firstPauseMs = 100;

/**
 * Keeps a plugin that dies at every call from being started over and over, as a model that tries
 * again and again would do. The count belongs to one process of cuervo: a person who repeats a
 * command means it.
 */
export type CrashBackoff = {
  /**
   * Waits longer after each fault in a row; undefined where there is nothing to wait for.
   *
   * @throws {KernelError} `unavailable` when the plugin is paused
   */
  admit(signal: AbortSignal): Promise<void> | undefined;
  /** Notes the end of a call, with the plugin's fault if there was one. */
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
 * How long a call waits for a busy process before another one is started. A start costs about as
 * much: a short call is done by then, and a long one hardly notices the wait.
 */
const patienceMs = 150;

/** The processes of one plugin, each for one call at a time. The caller owns the pool. */
export type ProcessPool = AsyncDisposable & {
  /** Starts a process when there is none. */
  warm(): void;
  /** When the processes that are there are ready, or have ended. */
  started(): Promise<void>;
  /**
   * Gives an idle process, a first one, or the next that becomes idle; below the limit, a new one
   * if none does so within 150 ms. A nested call may also get a new one above the limit, since
   * running calls may wait for it. While it waits, a further process is made ready: a script makes
   * many calls.
   *
   * @throws {KernelError} `canceled` when the signal fired or the pool was closed
   */
  take(
    signal: AbortSignal,
    options?: { isNested?: boolean },
  ): PluginProcess | Promise<PluginProcess>;
  /**
   * Gives an idle process that is ready now. Without one it returns undefined and starts one for
   * the next time.
   */
  takeReady(): PluginProcess | undefined;
  /** Gives back what `take` or `takeReady` gave; an ended process is dropped. */
  give(process: PluginProcess): void;
};

type Waiting = { resolve(process: PluginProcess): void; reject(reason: unknown): void };

/** @param start starts a process; `isAwaited`: a call waits for it */
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
  /** Starts a process ahead; it joins the idle ones when it is ready. */
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

  /** Waits for a process that another call gives back; after `patienceMs` it starts a new one. */
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
      // Nobody needs to wait for the end of this process, not even the closing pool.
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
    started: async () => {
      await Promise.allSettled([...all].map((process) => process.ready()));
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
      // Reject waiting calls first: a returned process would start a new one for them.
      for (const { reject } of queue.splice(0)) reject(poolClosed());
      await Promise.all([...all].map((process) => process[Symbol.asyncDispose]()));
      all.clear();
    },
  };
}

function poolClosed(): KernelError {
  return new KernelError('canceled', 'the processes of the plugin were closed');
}
