import { KernelError } from '../contracts/error.ts';

/**
 * A signal that Ctrl+C fires: once cancels the run, which kills the guest; twice quits.
 * Disposing it gives Ctrl+C back.
 */
export function listenForInterrupt(): { signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const onInterrupt = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort(new KernelError('canceled', 'interrupted'));
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onInterrupt);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onInterrupt);
    },
  };
}
