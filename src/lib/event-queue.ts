/**
 * Hands values from callbacks to one consumer that pulls them. The producer ends it with
 * `close` or `fail`; values pushed after that are dropped.
 */
export type EventQueue<Value> = {
  push(value: Value): void;
  close(): void;
  fail(reason: unknown): void;
  /** Values in their order; of one consumer, who asks for one at a time. */
  values(): AsyncGenerator<Value, void, undefined>;
};

export function createEventQueue<Value>(): EventQueue<Value> {
  const waiting: Value[] = [];
  let ended: { reason?: unknown } | undefined;
  let wake = (): void => {};
  const end = (how: { reason?: unknown }): void => {
    ended ??= how;
    wake();
  };
  return {
    push: (value) => {
      if (ended !== undefined) return;
      waiting.push(value);
      wake();
    },
    close: () => end({}),
    fail: (reason) => end({ reason }),
    async *values() {
      for (;;) {
        const value = waiting.shift();
        if (value !== undefined) {
          yield value;
        } else if (ended !== undefined) {
          if ('reason' in ended) throw ended.reason;
          return;
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    },
  };
}
