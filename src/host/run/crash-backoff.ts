import { setTimeout as sleep } from 'node:timers/promises';
import { KernelError } from '../../contracts/error.ts';

/** Faults in a row after which a plugin is called no more. */
const maxFaults = 3;
/** Before the next call after the first fault; doubled with each that follows. */
const firstPauseMs = 100;

/**
 * Keeps a plugin that dies at every call from being started over and over, as a model that
 * tries again and again would do. It counts in one process of cuervo: whoever types a command
 * once more means it.
 */
export type CrashBackoff = {
  /**
   * Waits as long as the faults before ask for; undefined where there is nothing to wait for.
   *
   * @throws {KernelError} `unavailable` when the plugin is paused
   */
  admit(signal: AbortSignal): Promise<void> | undefined;
  /** A call ended: with what the plugin's fault was, or without one. */
  note(fault: string | undefined): void;
  /** why it is paused */
  paused(): string | undefined;
};

/** @param plugin for messages */
export function createCrashBackoff(
  plugin: string,
  nowMs: () => number = () => performance.now(),
): CrashBackoff {
  let inRow = 0;
  let last = '';
  let openFromMs = 0;

  const paused = (): string | undefined =>
    inRow < maxFaults
      ? undefined
      : `plugin "${plugin}" failed ${inRow} times in a row and is paused; its last error: ${last}`;

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
