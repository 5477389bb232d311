import { KernelError } from '../contracts/error.ts';
import { createTurns } from '../lib/turns.ts';

const minuteMs = 60_000;
/** Calls that wait for their turn; more are refused. */
const maxWaiting = 256;

/** How much a client may ask for. */
export type CallLimits = {
  /**
   * Waits for a turn. The caller gives it back by disposing of it.
   *
   * @throws {KernelError} `resource-exhausted` beyond a limit, `canceled` when the signal fires
   */
  enter(signal: AbortSignal): Promise<Disposable>;
  /** Counts bytes that are sent. @throws {KernelError} `resource-exhausted` */
  spend(bytes: number): void;
};

export function createCallLimits(
  limits: { callsAtOnce: number; callsAMinute: number; bytesAMinute: number },
  nowMs: () => number,
): CallLimits {
  const turns = createTurns(limits.callsAtOnce);
  let minute = { sinceMs: nowMs(), calls: 0, bytes: 0 };

  const thisMinute = (): typeof minute => {
    if (nowMs() - minute.sinceMs >= minuteMs) minute = { sinceMs: nowMs(), calls: 0, bytes: 0 };
    return minute;
  };

  return {
    enter: async (signal) => {
      const now = thisMinute();
      if (now.calls >= limits.callsAMinute)
        throw exhausted(`${now.calls} calls in a minute`, 'mcp.calls-a-minute');
      if (turns.waiting >= maxWaiting)
        throw exhausted(`${maxWaiting} calls wait`, 'mcp.calls-at-once');
      now.calls += 1;
      return await turns.take(signal);
    },
    spend: (bytes) => {
      const now = thisMinute();
      if (now.bytes + bytes > limits.bytesAMinute)
        throw exhausted(`${now.bytes + bytes} bytes in a minute`, 'mcp.bytes-a-minute');
      now.bytes += bytes;
    },
  };
}

function exhausted(what: string, key: string): KernelError {
  return new KernelError('resource-exhausted', `${what} for this client, the limit (${key})`, {
    hint: `Ask for less at once; a person sets ${key} in config.toml.`,
  });
}
