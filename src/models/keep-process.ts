import { KernelError } from '../contracts/error.ts';

type ModelProcess = AsyncDisposable & { readonly alive: boolean };

/**
 * One model process at a time, started by its first use and again by the next use after it ended.
 *
 * @param name of the model, for messages
 * @param first one that runs already
 */
export function keepProcess<Process extends ModelProcess>(
  name: string,
  start: () => Promise<Process>,
  first?: Process,
): { live(): Promise<Process>; dispose(): Promise<void> } {
  let running = first === undefined ? undefined : (async () => first)();
  let isClosed = false;
  return {
    live: () => {
      const previous = running;
      const next = (async () => {
        if (isClosed) throw new KernelError('unavailable', `the model ${name} is closed`);
        const found = await previous?.catch(() => undefined);
        return found?.alive ? found : await start();
      })();
      next.catch(() => {}); // whoever asks gets the error
      running = next;
      return next;
    },
    dispose: async () => {
      isClosed = true;
      // A process that failed to start has nothing left to close.
      const found = await running?.catch(() => undefined);
      await found?.[Symbol.asyncDispose]();
    },
  };
}
