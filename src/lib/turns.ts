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
