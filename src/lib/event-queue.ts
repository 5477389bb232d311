/**
 * Hands values from callbacks to one consumer that pulls them. The producer ends it with
 * `close` or `fail`; values pushed after that are dropped.
 */
export type EventQueue<Value> = {
  push(value: Value): void;
  close(): void;
  fail(reason: unknown): void;
  /** Values in their order; of one consumer, who asks for one at a time. */
  values(): AsyncIterableIterator<Value>;
};

export function createEventQueue<Value>(): EventQueue<Value> {
  const waiting: Value[] = [];
  let ended: { reason?: unknown } | undefined;
  let wake: (() => void) | undefined;
  const notify = (): void => {
    wake?.();
    wake = undefined;
  };
  return {
    push: (value) => {
      if (ended === undefined) waiting.push(value);
      notify();
    },
    close: () => {
      ended ??= {};
      notify();
    },
    fail: (reason) => {
      ended ??= { reason };
      notify();
    },
    values: () => ({
      next: async () => {
        while (waiting.length === 0 && ended === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        if (waiting.length > 0) return { done: false, value: waiting.shift() as Value };
        const reason = ended;
        ended = {};
        if (reason !== undefined && 'reason' in reason) throw reason.reason;
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    }),
  };
}
