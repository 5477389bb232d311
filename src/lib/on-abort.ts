/** Callbacks of each signal; one listener serves them all, because listeners are dear to add and remove. */
const callbacksOf = new WeakMap<AbortSignal, Set<(reason: unknown) => void>>();

/**
 * Calls back once when the signal fires, or at once when it has fired.
 *
 * @returns takes the callback away again
 */
export function onAbort(signal: AbortSignal, callback: (reason: unknown) => void): () => void {
  if (signal.aborted) {
    callback(signal.reason);
    return () => {};
  }
  const known = callbacksOf.get(signal);
  const callbacks = known ?? new Set();
  if (known === undefined) {
    callbacksOf.set(signal, callbacks);
    signal.addEventListener(
      'abort',
      () => {
        for (const each of callbacks) each(signal.reason);
      },
      { once: true },
    );
  }
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
  };
}
