import { wasiLimits } from '../gate-ports.ts';
import { type ByteSink, type ByteSource, type IoCause, StreamFault } from '../io/create-io.ts';
import type { ResourceCount } from '../resource.ts';

/** A `result` as glue lifts and lowers it. */
export type Settled<Value = undefined> = { tag: 'ok'; val: Value } | { tag: 'err'; val: unknown };

export const done: Settled = { tag: 'ok', val: undefined };

/** A stream that the guest writes, as glue gives it. */
type GuestStream = Disposable & {
  read(options: { count: number }): Promise<{ done?: boolean; value?: ArrayLike<number> }>;
};

/** The `error-code` of an interface for what failed a stream. */
export type CodeOf = (why: IoCause) => unknown;

/** The streams of WASI 0.3, over the sources and sinks that those of 0.2 have. */
export type GuestStreams = {
  /** a `tuple<stream<u8>, future<result<_, error-code>>>` */
  reading(source: ByteSource, codeOf: CodeOf): [object, Promise<Settled>];
  /** the same of values that are there already; what `list` throws is the error */
  listing(list: () => Iterable<unknown>): [object, Promise<Settled>];
  /** Reads a stream of the guest to its end; the `future` of its result. */
  writing(stream: unknown, sink: ByteSink, codeOf: CodeOf): Promise<Settled>;
  /** Waits for what the guest wrote before its function returned. */
  settled(): undefined | Promise<undefined>;
  /** The call has ended: nothing of it goes on. */
  reset(): void;
};

/** Turns of the event loop without a byte after which a stream is taken for one that nobody writes. */
const idleTurns = 10;
/** Turns after which a call ends, though a task that it left still writes. */
const maxTurns = 200;

export function createGuestStreams(count: ResourceCount): GuestStreams {
  const open = new Set<object>();
  let moved = 0;
  let call = {};

  /** What `next` gives until it is undefined, and why it ended. */
  function offered(source: {
    next(): unknown;
    close?(): void;
    /** throws again what is none of the guest's */
    errorOf(thrown: unknown): unknown;
  }): [object, Promise<Settled>] {
    count.take();
    const { promise, resolve } = Promise.withResolvers<Settled>();
    let isOpen = true;
    const end = (settled: Settled): IteratorResult<unknown> => {
      if (isOpen) {
        isOpen = false;
        source.close?.();
        count.give();
        resolve(settled);
      }
      return { done: true, value: undefined };
    };
    // Glue takes from it only when the guest reads, and drops it when the guest does.
    const iterator: Iterator<unknown> = {
      next: () => {
        if (!isOpen) return end(done);
        try {
          const value = source.next();
          return value === undefined ? end(done) : { done: false, value };
        } catch (thrown) {
          return end({ tag: 'err', val: source.errorOf(thrown) });
        }
      },
      return: () => end(done),
    };
    return [{ [Symbol.iterator]: () => iterator }, promise];
  }

  const reading = (source: ByteSource, codeOf: CodeOf): [object, Promise<Settled>] =>
    offered({
      next: () => source.read(wasiLimits.readBytes),
      close: () => source.close?.(),
      errorOf: (thrown) => {
        if (thrown instanceof StreamFault) return codeOf(thrown.why);
        throw thrown;
      },
    });

  function listing(list: () => Iterable<unknown>): [object, Promise<Settled>] {
    let items: Iterator<unknown> | undefined;
    return offered({
      next: () => {
        items ??= list()[Symbol.iterator]();
        return items.next().value;
      },
      errorOf: payloadOf,
    });
  }

  async function writing(given: unknown, sink: ByteSink, codeOf: CodeOf): Promise<Settled> {
    const own = call;
    const stream = given as GuestStream;
    open.add(stream);
    try {
      using _ = stream;
      for (;;) {
        const { done: isEnd, value } = await stream.read({ count: wasiLimits.writeBytes });
        // Whoever waited for it is gone, and may not go on in the name of another call.
        if (own !== call) return await new Promise<never>(() => {});
        if (isEnd === true || value === undefined) break;
        moved += 1;
        sink.write(Uint8Array.from(value));
      }
      sink.flush?.();
      return done;
    } catch (thrown) {
      if (!(thrown instanceof StreamFault)) throw thrown;
      return { tag: 'err', val: codeOf(thrown.why) };
    } finally {
      if (own === call) {
        open.delete(stream);
        sink.close?.();
      }
    }
  }

  async function untilIdle(): Promise<undefined> {
    let idle = 0;
    for (let turn = 0; open.size > 0 && idle < idleTurns && turn < maxTurns; turn += 1) {
      const before = moved;
      await new Promise((resolve) => setTimeout(resolve, 1));
      idle = moved === before ? idle + 1 : 0;
    }
  }

  return {
    reading,
    listing,
    writing,
    settled: () => (open.size === 0 ? undefined : untilIdle()),
    reset: () => {
      open.clear();
      call = {};
    },
  };
}

/** What glue would send as the `err` of a function that threw it. */
function payloadOf(thrown: unknown): unknown {
  if (thrown instanceof Error && Object.hasOwn(thrown, 'payload')) {
    return (thrown as Error & { payload: unknown }).payload;
  }
  throw thrown;
}
