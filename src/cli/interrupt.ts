import { KernelError } from '../contracts/error.ts';

/** Ctrl+C, what ends a service, and a terminal that is closed. */
const interrupting = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

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
  for (const each of interrupting) process.on(each, onInterrupt);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const each of interrupting) process.off(each, onInterrupt);
    },
  };
}

/** Waits for the signal: a server works until then. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
