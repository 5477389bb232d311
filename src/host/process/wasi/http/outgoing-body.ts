import { StreamFault, type WasiIo } from '../io/create-io.ts';
import { createOutputBuffer, type OutputBuffer } from '../output-buffer.ts';
import { defineResource, type ResourceCount, type ResourceKind } from '../resource.ts';
import { WasiFailure } from '../wasi-failure.ts';
import { wasiLimits } from '../wasi-limits.ts';

/** A guest's message body; the message is sent whole when the body is finished. */
export type OutgoingBody = {
  buffer: OutputBuffer;
  isStreamTaken: boolean;
  isFinished: boolean;
  whenFinished?: () => void;
};

export function newOutgoingBody(): OutgoingBody {
  const buffer = createOutputBuffer(wasiLimits.httpBodyBytes);
  return { buffer, isStreamTaken: false, isFinished: false };
}

/** `wasi:http/types.outgoing-body`. */
export function createOutgoingBodies(ports: {
  count: ResourceCount;
  io: WasiIo;
  /** trailers that a guest hands in, which are not sent */
  consumeTrailers(trailers: unknown): void;
}): ResourceKind<OutgoingBody> {
  const write = ({ buffer }: OutgoingBody, bytes: Uint8Array): void => {
    if (buffer.add(bytes)) return;
    const text = `the body is above ${wasiLimits.httpBodyBytes} bytes`;
    const val = BigInt(wasiLimits.httpBodyBytes);
    throw new StreamFault({ text, http: { tag: 'HTTP-request-body-size', val } });
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
        if (trailers !== undefined) {
          ports.consumeTrailers(trailers);
          throw new WasiFailure({ tag: 'internal-error', val: 'trailers are not sent' });
        }
        body.isFinished = true;
        body.whenFinished?.();
      },
    },
  });
  return kind;
}
