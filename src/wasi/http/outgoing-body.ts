import { StreamFault, type WasiIo } from '../io/create-io.ts';
import { createOutputBuffer, type OutputBuffer } from '../output-buffer.ts';
import { defineResource, type ResourceCount, type ResourceKind } from '../resource.ts';
import { WasiFailure } from '../wasi-failure.ts';
import { wasiLimits } from '../wasi-limits.ts';
import type { Fields } from './fields.ts';
import type { HttpError } from './http-error.ts';

/** A guest's message body; the message is sent whole when the body is finished, or not at all. */
export type OutgoingBody = {
  buffer: OutputBuffer;
  /** bytes that a header of the message promises */
  announced: number | undefined;
  /** bytes that the guest tried to write */
  written: number;
  /** why the message is not sent */
  failure?: HttpError;
  isStreamTaken: boolean;
  isFinished: boolean;
  whenFinished?: () => void;
};

/** @param announced as in `OutgoingBody` */
export function newOutgoingBody(announced?: number): OutgoingBody {
  const buffer = createOutputBuffer(wasiLimits.httpBodyBytes);
  return { buffer, announced, written: 0, isStreamTaken: false, isFinished: false };
}

/** `wasi:http/types.outgoing-body`. */
export function createOutgoingBodies(ports: {
  count: ResourceCount;
  io: WasiIo;
  consumeTrailers(trailers: unknown): Fields;
}): ResourceKind<OutgoingBody> {
  const write = (body: OutgoingBody, bytes: Uint8Array): void => {
    const limit = Math.min(body.announced ?? wasiLimits.httpBodyBytes, wasiLimits.httpBodyBytes);
    body.written += bytes.length;
    if (body.written <= limit && body.buffer.add(bytes)) return;
    body.failure ??= sizeError(body);
    throw new StreamFault({ text: `the body is above ${limit} bytes`, http: body.failure });
  };
  /** The reason not to send what was finished. */
  const failureOf = (body: OutgoingBody, trailers: unknown): HttpError | undefined => {
    const given = trailers === undefined ? [] : ports.consumeTrailers(trailers).entries;
    if (body.failure !== undefined) return body.failure;
    if (body.announced !== undefined && body.written !== body.announced) return sizeError(body);
    if (given.length === 0) return undefined;
    return { tag: 'internal-error', val: 'trailers of a request are not sent' };
  };
  const kind: ResourceKind<OutgoingBody> = defineResource<OutgoingBody>({
    name: 'outgoing-body',
    count: ports.count,
    methods: {
      write: (body) => {
        if (body.isStreamTaken) throw new WasiFailure(undefined);
        body.isStreamTaken = true;
        return ports.io.output({ write: (bytes) => write(body, bytes) });
      },
    },
    statics: {
      finish: (given, trailers) => {
        const body = kind.consume(given);
        const failure = failureOf(body, trailers);
        if (failure !== undefined) body.failure = failure;
        body.isFinished = true;
        body.whenFinished?.();
        if (failure !== undefined) throw new WasiFailure(failure);
      },
    },
  });
  return kind;
}

function sizeError({ written }: OutgoingBody): HttpError {
  return { tag: 'HTTP-request-body-size', val: BigInt(written) };
}
