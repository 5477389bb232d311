import { bytesOf, lengthOf } from '../guest-argument.ts';
import { defineResource, type ResourceCount, type ResourceKind } from '../resource.ts';
import { WasiFailure } from '../wasi-failure.ts';
import { wasiLimits } from '../wasi-limits.ts';
import { createPolling, type Readiness } from './create-polling.ts';

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
