import { KernelError } from '../../contracts/error.ts';
import type { ModelEvent } from '../../contracts/model.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { errorBodyMs, type SilenceLimits, usualConnectMs, watchSilence } from './limits.ts';
import { type ErrorContext, toKernelError } from './to-kernel-error.ts';

export function sdkOptions(silence: SilenceLimits, connectMs = usualConnectMs) {
  const maxErrorMs = Math.min(silence.firstTokenMs / 2, errorBodyMs);
  return {
    maxRetries: 0,
    // Our limits are finer.
    timeout: silence.firstTokenMs * 2,
    fetch: boundedFetch({ maxErrorMs, connectMs }),
    // Only `src/cli` prints.
    logLevel: 'off',
  } as const;
}

/**
 * Sends one request and reads its answer.
 *
 * @param options.signal of the caller; gives up the request
 * @throws {KernelError} with a `ModelFault`, or `canceled` on abort
 */
export async function* askProvider<Part>(
  options: {
    silence: SilenceLimits;
    errors: Omit<ErrorContext, 'began' | 'nowMs'>;
    signal: AbortSignal;
  },
  send: (options: { signal: AbortSignal }) => Promise<AsyncIterable<Part>>,
  read: (parts: AsyncIterable<Part>) => AsyncGenerator<ModelEvent, void, undefined>,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { silence, errors, signal } = options;
  let began = false;
  using watch = watchSilence(silence);
  try {
    if (signal.aborted) throw signal.reason;
    const parts = await send({ signal: AbortSignal.any([signal, watch.signal]) });
    began = true;
    yield* read(watch.watch(parts));
    // One of the SDKs ends a stream that was aborted as if it were whole.
    if (signal.aborted) throw signal.reason;
  } catch (thrown) {
    if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
    if (watch.signal.aborted) throw watch.signal.reason;
    throw toKernelError(thrown, { ...errors, began, nowMs: Date.now() });
  }
}
