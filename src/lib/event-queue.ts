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
  let ended: Ending | undefined;
  let reader: PromiseWithResolvers<IteratorResult<Value, undefined>> | undefined;
  const end = (how: Ending): void => {
    if (ended !== undefined) return;
    ended = reader === undefined ? how : {};
    if ('reason' in how) reader?.reject(how.reason);
    else reader?.resolve({ done: true, value: undefined });
    reader = undefined;
  };
  return {
    push: (value) => {
      if (ended !== undefined) return;
      if (reader === undefined) waiting.push(value);
      else reader.resolve({ done: false, value });
      reader = undefined;
    },
    close: () => end({}),
    fail: (reason) => end({ reason }),
    values: () =>
      new Values(() => {
        if (waiting.length > 0) {
          return Promise.resolve({ done: false, value: waiting.shift() as Value });
        }
        if (ended !== undefined) {
          const how = ended;
          // A reason is reported once.
          ended = {};
          return lastOf(how);
        }
        reader = Promise.withResolvers();
        return reader.promise;
      }),
  };
}

/** A class, because the engine takes its slow way through a literal with a symbol for a name. */
class Values<Value> implements AsyncIterableIterator<Value, undefined> {
  readonly next: () => Promise<IteratorResult<Value, undefined>>;

  constructor(next: () => Promise<IteratorResult<Value, undefined>>) {
    this.next = next;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

type Ending = { reason?: unknown };

function lastOf(how: Ending): Promise<IteratorResult<never, undefined>> {
  return 'reason' in how
    ? Promise.reject(how.reason)
    : Promise.resolve({ done: true, value: undefined });
}
