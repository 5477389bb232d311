import { KernelError } from '../contracts/error.ts';
import { createTurns } from '../lib/turns.ts';

const minuteMs = 60_000;
/** Calls that wait for their turn, and questions for an answer; more are refused. */
const maxWaiting = 256;

/** The turn of a call. */
export type CallTurn = Disposable & {
  /**
   * Lets other calls go on while this one waits for a person, and waits for a turn again.
   *
   * @throws {KernelError} `resource-exhausted` where too many wait
   */
  pause<Value>(wait: () => Promise<Value>): Promise<Value>;
};

/** How much a client may ask for. */
export type CallLimits = {
  /**
   * Waits for a turn. The caller gives it back by disposing of it.
   *
   * @throws {KernelError} `resource-exhausted` beyond a limit, `canceled` when the signal fires
   */
  enter(signal: AbortSignal): Promise<CallTurn>;
  /** Counts bytes that are sent. @throws {KernelError} `resource-exhausted` */
  spend(bytes: number): void;
};

export function createCallLimits(
  limits: { callsAtOnce: number; callsAMinute: number; bytesAMinute: number },
  nowMs: () => number,
): CallLimits {
  const turns = createTurns(limits.callsAtOnce);
  let paused = 0;
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
      let turn = await turns.take(signal);
      /** questions of this call that wait */
      let open = 0;
      return {
        pause: async (wait) => {
          if (paused >= maxWaiting)
            throw exhausted(`${maxWaiting} questions wait`, 'mcp.calls-at-once');
          paused += 1;
          open += 1;
          turn[Symbol.dispose]();
          try {
            return await wait();
          } finally {
            paused -= 1;
            open -= 1;
            if (open === 0) turn = await turns.take(signal);
          }
        },
        [Symbol.dispose]: () => turn[Symbol.dispose](),
      };
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
