import { setImmediate } from 'node:timers/promises';

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
