import { wasiLimits } from '../gate-ports.ts';
import {
  createOutputBuffer,
  type OutputBuffer,
  StreamFault,
  type WasiIo,
} from '../io/create-io.ts';
import {
  defineResource,
  type ResourceCount,
  type ResourceKind,
  textOf,
  WasiFailure,
} from '../resource.ts';
import type { Fields, HttpError } from './fields.ts';

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
  const failureOf = (body: OutgoingBody, trailers: unknown): HttpError | undefined =>
    unsendable(body, trailers === undefined ? undefined : ports.consumeTrailers(trailers));
  const kind: ResourceKind<OutgoingBody> = defineResource<OutgoingBody>({
    name: 'outgoing-body',
    count: ports.count,
    methods: {
      write: (body) => {
        if (body.isStreamTaken) throw new WasiFailure(undefined);
        body.isStreamTaken = true;
        return ports.io.output({ write: (bytes) => writeBody(body, bytes) });
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

/** @throws {StreamFault} above the limit, or above what the headers promise */
export function writeBody(body: OutgoingBody, bytes: Uint8Array): void {
  const limit = Math.min(body.announced ?? wasiLimits.httpBodyBytes, wasiLimits.httpBodyBytes);
  body.written += bytes.length;
  if (body.written <= limit && body.buffer.add(bytes)) return;
  body.failure ??= sizeError(body);
  throw new StreamFault({ text: `the body is above ${limit} bytes`, http: body.failure });
}

/** The reason not to send what was finished. */
export function unsendable(
  body: OutgoingBody,
  trailers: Fields | undefined,
): HttpError | undefined {
  if (body.failure !== undefined) return body.failure;
  if (body.announced !== undefined && body.written !== body.announced) return sizeError(body);
  if (trailers === undefined || trailers.entries.length === 0) return undefined;
  return { tag: 'internal-error', val: 'trailers of a request are not sent' };
}

function sizeError({ written }: OutgoingBody): HttpError {
  return { tag: 'HTTP-request-body-size', val: BigInt(written) };
}

type Variant = { tag: string; val?: unknown };

export type OutgoingRequest = {
  method: Variant;
  path: string | undefined;
  scheme: Variant | undefined;
  authority: string | undefined;
  headers: Fields;
  body: OutgoingBody | undefined;
};

const methods: ReadonlySet<string> = new Set([
  ...['get', 'head', 'post', 'put', 'delete', 'connect', 'options', 'trace', 'patch'],
]);
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}$/;
/** Longer than the addresses that servers take. */
const maxAddressLength = 16 * 1024;

/** Where a request goes, as the setters of both versions keep it. */
export type RequestLine = Pick<OutgoingRequest, 'method' | 'path' | 'scheme' | 'authority'>;

export function newRequestLine(): RequestLine {
  return { method: { tag: 'get' }, path: undefined, scheme: undefined, authority: undefined };
}

export const requestSetters = {
  setMethod: (request: RequestLine, method: unknown): void => {
    const { tag, val } = variantOf(method);
    if (tag === 'other') request.method = { tag, val: matching(val, token) };
    else if (methods.has(tag)) request.method = { tag };
    else throw new TypeError('an argument is not a method');
  },
  setPathWithQuery: (request: RequestLine, path: unknown): void => {
    request.path = path === undefined ? undefined : matching(path, /^(?:[/?*][\x21-\x7e]*)?$/);
  },
  setScheme: (request: RequestLine, scheme: unknown): void => {
    if (scheme === undefined) request.scheme = undefined;
    else {
      const { tag, val } = variantOf(scheme);
      const other = tag === 'other' ? { val: matching(val, /^[a-z][a-z0-9+.-]{0,63}$/i) } : {};
      request.scheme = { tag, ...other };
    }
  },
  setAuthority: (request: RequestLine, authority: unknown): void => {
    request.authority = authority === undefined ? undefined : matching(authority, /^[^\s/?#@\\]+$/);
  },
};

/** `wasi:http/types.outgoing-request`. */
export function createOutgoingRequests(ports: {
  count: ResourceCount;
  fields: ResourceKind<Fields>;
  bodies: ResourceKind<OutgoingBody>;
}): ResourceKind<OutgoingRequest> {
  const { fields, bodies } = ports;
  return defineResource<OutgoingRequest>({
    name: 'outgoing-request',
    count: ports.count,
    construct: (headers) => ({
      ...newRequestLine(),
      headers: { ...fields.consume(headers), isImmutable: true },
      body: undefined,
    }),
    methods: {
      ...requestSetters,
      body: (request) => {
        if (request.body !== undefined) throw new WasiFailure(undefined);
        request.body = newOutgoingBody(announcedBytes(request.headers));
        return bodies.make(request.body);
      },
      headers: ({ headers }) => fields.make(headers),
      method: ({ method }) => method,
      pathWithQuery: ({ path }) => path,
      scheme: ({ scheme }) => scheme,
      authority: ({ authority }) => authority,
    },
  });
}

/** What `content-length` promises. */
export function announcedBytes({ entries }: Fields): number | undefined {
  const found = entries.find(([name]) => name.toLowerCase() === 'content-length');
  if (found === undefined) return undefined;
  const text = Buffer.from(found[1]).toString('latin1');
  if (!/^\d{1,15}$/.test(text)) throw new WasiFailure(undefined);
  return Number(text);
}

/** The address that the kernel is asked for; it decides by what it parses of it. */
export function urlOf({ scheme, authority, path }: RequestLine): string {
  const name = scheme?.tag === 'other' ? String(scheme.val) : (scheme?.tag ?? 'HTTPS');
  return `${name.toLowerCase()}://${authority ?? ''}${path ?? '/'}`;
}

export function methodOf({ method }: RequestLine): string {
  return method.tag === 'other' ? String(method.val) : method.tag.toUpperCase();
}

function matching(value: unknown, syntax: RegExp): string {
  const text = textOf(value);
  if (text.length > maxAddressLength || !syntax.test(text)) throw new WasiFailure(undefined);
  return text;
}

function variantOf(value: unknown): Variant {
  if (typeof value !== 'object' || value === null || !('tag' in value)) {
    throw new TypeError('an argument is not a variant');
  }
  return { ...(value as Variant), tag: textOf(value.tag) };
}

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
