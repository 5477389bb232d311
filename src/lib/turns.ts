import { setImmediate } from 'node:timers/promises';
import { KernelError } from '../contracts/error.ts';

/** Lets so many work at once, in the order in which they came. */
export function createTurns(atOnce: number): {
  /** how many wait for theirs */
  readonly waiting: number;
  /** Waits for a turn, which the caller gives back. @throws {KernelError} why the signal fired */
  take(signal: AbortSignal): Promise<Disposable>;
} {
  const waiting: (() => void)[] = [];
  let running = 0;

  const leave = (): void => {
    running -= 1;
    waiting.shift()?.();
  };
  const wait = async (signal: AbortSignal): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const give = (): void => {
      running += 1;
      resolve();
    };
    waiting.push(give);
    const drop = (): void => {
      const at = waiting.indexOf(give);
      if (at < 0) return;
      waiting.splice(at, 1);
      reject(KernelError.from(signal.reason, 'canceled'));
    };
    signal.addEventListener('abort', drop, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', drop));
  };

  return {
    get waiting() {
      return waiting.length;
    },
    take: async (signal) => {
      if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
      if (running < atOnce) running += 1;
      else await wait(signal);
      let isLeft = false;
      return {
        [Symbol.dispose]: () => {
          if (isLeft) return;
          isLeft = true;
          leave();
        },
      };
    },
  };
}

/**
 * Hands values from callbacks to one consumer that pulls them. The producer ends it with
 * `close` or `fail`; values pushed after that are dropped.
 */
export type EventQueue<Value> = {
  push(value: Value): void;
  close(): void;
  fail(reason: unknown): void;
  /** Values in their order; of one consumer, who asks for one at a time. */
  values(): AsyncGenerator<Value, void, undefined>;
};

export function createEventQueue<Value>(): EventQueue<Value> {
  const waiting: Value[] = [];
  let ended: { reason?: unknown } | undefined;
  let wake = (): void => {};
  const end = (how: { reason?: unknown }): void => {
    ended ??= how;
    wake();
  };
  return {
    push: (value) => {
      if (ended !== undefined) return;
      waiting.push(value);
      wake();
    },
    close: () => end({}),
    fail: (reason) => end({ reason }),
    async *values() {
      for (;;) {
        const value = waiting.shift();
        if (value !== undefined) {
          yield value;
        } else if (ended !== undefined) {
          if ('reason' in ended) throw ended.reason;
          return;
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    },
  };
}

/** So long a loop may hold up everything else, as Ctrl+C. */
const turnMs = 20;

/**
 * For a long loop over what others made: lets signals and timers have their turn. It goes by time,
 * because a single item may take long.
 *
 * @returns to be called for each item, and awaited where it returns a promise; throws the reason
 *   of the signal
 */
export function yieldToEvents(signal?: AbortSignal): () => Promise<void> | undefined {
  let startedMs = performance.now();
  return () => {
    if (performance.now() - startedMs < turnMs) return undefined;
    return setImmediate().then(() => {
      signal?.throwIfAborted();
      startedMs = performance.now();
    });
  };
}
