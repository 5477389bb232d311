import { KernelError } from '../contracts/error.ts';
import { untilAborted } from '../lib/signals.ts';

type ModelProcess = AsyncDisposable & { readonly alive: boolean };

/** A model process that hangs at its start costs a question that time once, not at every search. */
const restMs = 60_000;

/**
 * Keeps one model process. The first use starts it, and the next use after its end starts it again.
 * Within a minute after a failed start a use throws the same error.
 *
 * @param name of the model, for messages
 * @param start its signal fires when nobody waits for the process any more
 * @param first one that runs already
 */
export function keepProcess<Process extends ModelProcess>(
  name: string,
  start: (signal: AbortSignal) => Promise<Process>,
  first?: Process,
): { live(signal?: AbortSignal): Promise<Process>; dispose(): Promise<void> } {
  let running = first === undefined ? undefined : (async () => first)();
  let failed: { thrown: unknown; atMs: number } | undefined;
  const closing = new AbortController();
  const startAgain = async (): Promise<Process> => {
    if (failed !== undefined && performance.now() - failed.atMs < restMs) throw failed.thrown;
    try {
      return await start(closing.signal);
    } catch (thrown) {
      failed = { thrown, atMs: performance.now() };
      throw thrown;
    }
  };
  return {
    live: (signal) => {
      const previous = running;
      const next = (async () => {
        if (closing.signal.aborted)
          throw new KernelError('unavailable', `the model ${name} is closed`);
        const found = await previous?.catch(() => undefined);
        return found?.alive ? found : await startAgain();
      })();
      next.catch(() => {}); // whoever asks gets the error
      running = next;
      return signal === undefined ? next : untilAborted(next, signal);
    },
    dispose: async () => {
      closing.abort();
      // A process that failed to start has nothing left to close.
      const found = await running?.catch(() => undefined);
      await found?.[Symbol.asyncDispose]();
    },
  };
}
