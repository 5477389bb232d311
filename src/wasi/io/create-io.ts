import { wasiLimits } from '../gate-ports.ts';
import {
  bytesOf,
  defineResource,
  lengthOf,
  type ResourceCount,
  type ResourceKind,
  WasiFailure,
} from '../resource.ts';

/** Bytes that a guest wrote, up to a limit. */
export type OutputBuffer = {
  /** False when it was too much: then as much as fits is kept. */
  add(bytes: Uint8Array): boolean;
  /** all of it, once */
  take(): Uint8Array;
};

export function createOutputBuffer(maxBytes: number): OutputBuffer {
  let bytes = new Uint8Array();
  let length = 0;

  function grow(needed: number): void {
    if (needed <= bytes.length) return;
    const larger = new Uint8Array(Math.min(maxBytes, Math.max(needed, 2 * bytes.length, 1024)));
    larger.set(bytes.subarray(0, length));
    bytes = larger;
  }

  return {
    add: (more) => {
      const fitting = more.subarray(0, maxBytes - length);
      grow(length + fitting.length);
      bytes.set(fitting, length);
      length += fitting.length;
      return fitting.length === more.length;
    },
    take: () => {
      const taken = bytes.subarray(0, length);
      bytes = new Uint8Array();
      length = 0;
      return taken;
    },
  };
}

/** The event that a pollable waits for. */
export type Readiness = {
  isReady(): boolean;
  /** when time alone makes it ready, in nanoseconds of the monotonic clock */
  dueNs?: bigint;
  /** makes it ready, when only this can */
  force?(): void;
  /** Of what comes in: stands still until something did; undefined where it does not. */
  wait?(): (() => void) | undefined;
};

/**
 * Whether it is ready, for a guest that only looks: nothing comes in meanwhile, so from its second
 * look on it waits.
 */
export function lookAt(readiness: Readiness & { isLookedAt?: boolean }): boolean {
  if (!readiness.isReady() && readiness.isLookedAt === true) readiness.wait?.()?.();
  readiness.isLookedAt = true;
  return readiness.isReady();
}

/** `wasi:io/poll`. */
function createPolling(ports: { count: ResourceCount; sleepUntilNs(instant: bigint): void }): {
  pollables: ResourceKind<Readiness>;
  poll(list: unknown): Uint32Array;
} {
  /** Waits for the first of them: what comes in, or else time, or else what has to be forced. */
  function wait(waiting: readonly Readiness[]): void {
    for (const { wait: comes } of waiting) {
      const standStill = comes?.();
      if (standStill === undefined) continue;
      while (!waiting.some((each) => each.isReady())) standStill();
      return;
    }
    let first: bigint | undefined;
    for (const { dueNs } of waiting) {
      if (dueNs !== undefined && (first === undefined || dueNs < first)) first = dueNs;
    }
    if (first !== undefined) ports.sleepUntilNs(first);
    else for (const { force } of waiting) force?.();
  }

  const pollables = defineResource<Readiness>({
    name: 'pollable',
    count: ports.count,
    methods: {
      ready: lookAt,
      block: (readiness) => {
        if (!readiness.isReady()) wait([readiness]);
      },
    },
  });

  function poll(list: unknown): Uint32Array {
    if (!Array.isArray(list) || list.length === 0 || list.length > wasiLimits.pollables) {
      throw new RangeError(`poll takes 1 to ${wasiLimits.pollables} pollables`);
    }
    const waiting = list.map((item) => pollables.stateOf(item));
    const ready = indexesOfReady(waiting);
    if (ready.length > 0) return ready;
    wait(waiting);
    return indexesOfReady(waiting);
  }
  return { pollables, poll };
}

function indexesOfReady(waiting: readonly Readiness[]): Uint32Array {
  return Uint32Array.from(
    waiting.flatMap((readiness, index) => (readiness.isReady() ? [index] : [])),
  );
}

/** The source of an input stream's bytes. Its errors fail the stream. */
export type ByteSource = {
  /** @returns at least one byte; undefined at the end */
  read(maxBytes: number): Uint8Array | undefined;
  close?(): void;
};

/** The goal of an output stream's bytes. Its errors fail the stream. */
export type ByteSink = {
  write(bytes: Uint8Array): void;
  flush?(): void;
  close?(): void;
};

/** Why a stream failed: a sentence, and the code of the interface that the stream belongs to. */
export type IoCause = { text: string; filesystem?: string; http?: unknown };

/** Thrown by sources and sinks; anything else that they throw traps the guest. */
export class StreamFault extends Error {
  override readonly name = 'StreamFault';
  readonly why: IoCause;

  constructor(why: IoCause) {
    super(why.text);
    this.why = why;
  }
}

type Stream<End> = { end: End; failed?: IoCause };

export type WasiIo = {
  imports: Record<string, object>;
  input(source: ByteSource): object;
  output(sink: ByteSink): object;
  pollable(readiness: Readiness): object;
  inputs: ResourceKind<Stream<ByteSource>>;
  outputs: ResourceKind<Stream<ByteSink>>;
  /** of a `wasi:io/error` that a guest handed in */
  causeOf(error: unknown): IoCause;
};

/**
 * `wasi:io`. All that is behind a stream here is there at once or asked for and waited for, so
 * a stream is always ready and the blocking calls are the plain ones.
 *
 * @param sleepUntilNs of the monotonic clock, for polls that wait for time alone
 */
export function createIo(ports: {
  count: ResourceCount;
  sleepUntilNs(instant: bigint): void;
}): WasiIo {
  const { count } = ports;
  const errors = defineResource<IoCause>({
    name: 'error',
    count,
    methods: { toDebugString: ({ text }) => text },
  });
  const { pollables, poll } = createPolling(ports);
  const always = (): object => pollables.make({ isReady: () => true });

  /** Runs what may fail the stream; a stream that failed or ended stays so. */
  function within<End, T>(stream: Stream<End>, run: (end: End) => T): T {
    if (stream.failed !== undefined) throw failedWith(stream.failed);
    try {
      return run(stream.end);
    } catch (thrown) {
      if (!(thrown instanceof StreamFault)) throw thrown;
      stream.failed = thrown.why;
      throw failedWith(thrown.why);
    }
  }

  const failedWith = (cause: IoCause): WasiFailure =>
    new WasiFailure({ tag: 'last-operation-failed', val: errors.make(cause) });

  function read(stream: Stream<ByteSource>, length: unknown): Uint8Array {
    const wanted = lengthOf(length, wasiLimits.readBytes);
    if (wanted === 0) return new Uint8Array();
    const bytes = within(stream, (source) => source.read(wanted));
    if (bytes === undefined) throw new WasiFailure({ tag: 'closed' });
    return bytes;
  }

  function write(stream: Stream<ByteSink>, bytes: Uint8Array): void {
    within(stream, (sink) => sink.write(bytes));
  }

  const flush = (stream: Stream<ByteSink>): void => within(stream, (sink) => sink.flush?.());

  function splice(stream: Stream<ByteSink>, from: unknown, length: unknown): bigint {
    const wanted = lengthOf(length, wasiLimits.writeBytes);
    const bytes = read(inputs.stateOf(from), BigInt(wanted));
    write(stream, bytes);
    return BigInt(bytes.length);
  }

  const skip = (stream: Stream<ByteSource>, length: unknown): bigint =>
    BigInt(read(stream, length).length);
  const zeroes = (length: unknown): Uint8Array =>
    new Uint8Array(lengthOf(length, wasiLimits.writeBytes));

  const inputs = defineResource<Stream<ByteSource>>({
    name: 'input-stream',
    count,
    methods: { read, blockingRead: read, skip, blockingSkip: skip, subscribe: always },
    dropped: ({ end }) => end.close?.(),
  });
  const outputs = defineResource<Stream<ByteSink>>({
    name: 'output-stream',
    count,
    methods: {
      checkWrite: (stream) => within(stream, () => BigInt(wasiLimits.writeBytes)),
      write: (stream, bytes) => write(stream, bytesOf(bytes)),
      blockingWriteAndFlush: (stream, bytes) => {
        write(stream, bytesOf(bytes));
        flush(stream);
      },
      flush,
      blockingFlush: flush,
      subscribe: always,
      writeZeroes: (stream, length) => write(stream, zeroes(length)),
      blockingWriteZeroesAndFlush: (stream, length) => {
        write(stream, zeroes(length));
        flush(stream);
      },
      splice,
      blockingSplice: splice,
    },
    dropped: ({ end }) => end.close?.(),
  });

  return {
    imports: {
      'wasi:io/error': { Error: errors.face },
      'wasi:io/poll': { Pollable: pollables.face, poll },
      'wasi:io/streams': { InputStream: inputs.face, OutputStream: outputs.face },
    },
    input: (end) => inputs.make({ end }),
    output: (end) => outputs.make({ end }),
    pollable: (readiness) => pollables.make(readiness),
    inputs,
    outputs,
    causeOf: errors.stateOf,
  };
}
