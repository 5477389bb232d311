/**
 * Hands values from callbacks to one consumer that pulls them. The producer ends it with
 * `close` or `fail`; values pushed after that are dropped.
 */
export type EventQueue<Value> = {
  push(value: Value): void;
  close(): void;
  fail(reason: unknown): void;
  values(): AsyncGenerator<Value, void, undefined>;
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
    values: async function* () {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift() as Value;
        if (ended !== undefined) {
          if ('reason' in ended) throw ended.reason;
          return;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
