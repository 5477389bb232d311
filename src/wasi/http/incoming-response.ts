import type { WasiIo } from '../io/create-io.ts';
import { defineResource, type ResourceCount, type ResourceKind } from '../resource.ts';
import { WasiFailure } from '../wasi-failure.ts';
import type { Fields } from './fields.ts';

export type IncomingResponse = {
  status: number;
  headers: Fields;
  body: Uint8Array;
  trailers: Fields | undefined;
  isConsumed: boolean;
};
type IncomingBody = {
  bytes: Uint8Array;
  trailers: Fields | undefined;
  isStreamTaken: boolean;
};

/** `incoming-response`, `incoming-body` and `future-trailers` of `wasi:http/types`. */
export function createIncomingResponses(ports: {
  count: ResourceCount;
  io: WasiIo;
  fields: ResourceKind<Fields>;
}): { kind: ResourceKind<IncomingResponse>; faces: Record<string, object> } {
  const { count, io, fields } = ports;
  const trailers = defineResource<{ sent: Fields | undefined; isTaken: boolean }>({
    name: 'future-trailers',
    count,
    methods: {
      subscribe: () => io.pollable({ isReady: () => true }),
      get: (future) => {
        if (future.isTaken) return { tag: 'err', val: undefined };
        future.isTaken = true;
        const { sent } = future;
        return { tag: 'ok', val: { tag: 'ok', val: sent && fields.make(sent) } };
      },
    },
  });
  const bodies: ResourceKind<IncomingBody> = defineResource<IncomingBody>({
    name: 'incoming-body',
    count,
    methods: {
      stream: (body) => {
        if (body.isStreamTaken) throw new WasiFailure(undefined);
        body.isStreamTaken = true;
        let left = body.bytes;
        return io.input({
          read: (maxBytes) => {
            if (left.length === 0) return undefined;
            const bytes = left.slice(0, maxBytes);
            left = left.subarray(bytes.length);
            return bytes;
          },
        });
      },
    },
    statics: {
      finish: (body) => {
        return trailers.make({ sent: bodies.consume(body).trailers, isTaken: false });
      },
    },
  });
  const kind = defineResource<IncomingResponse>({
    name: 'incoming-response',
    count,
    methods: {
      status: ({ status }) => status,
      headers: ({ headers }) => fields.make(headers),
      consume: (response) => {
        if (response.isConsumed) throw new WasiFailure(undefined);
        response.isConsumed = true;
        const { body: bytes, trailers: sent } = response;
        return bodies.make({ bytes, trailers: sent, isStreamTaken: false });
      },
    },
  });
  return { kind, faces: { FutureTrailers: trailers.face, IncomingBody: bodies.face } };
}
