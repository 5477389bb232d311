import { HostFailure } from '../../paths/system-failure.ts';
import type { WasiPorts } from '../gate-ports.ts';
import { type Fields, type HttpError, httpErrorOf } from '../http/fields.ts';
import {
  announcedBytes,
  newOutgoingBody,
  newRequestLine,
  type RequestLine,
  requestSetters,
  unsendable,
  writeBody,
} from '../http/messages.ts';
import {
  type KernelResponse,
  phasesOf,
  sendArguments,
  type Timeouts,
} from '../http/send-arguments.ts';
import type { IoCause } from '../io/create-io.ts';
import { defineResource, type ResourceCount, type ResourceKind, WasiFailure } from '../resource.ts';
import { done, type GuestStreams, type Settled } from './guest-streams.ts';

type Trailers = PromiseLike<Settled<object | undefined>>;

type Request = RequestLine & {
  headers: Fields;
  contents: unknown;
  trailers: Trailers;
  timeouts: Timeouts;
  sent(settled: Settled): void;
};
type Response = { status: number; headers: Fields; body: Uint8Array; trailers: Fields | undefined };

const codeOf = ({ http }: IoCause): unknown => http;

/** `wasi:http/types` and `client` of 0.3. Several requests may be under way at once. */
export function createNewerHttp(options: {
  ports: WasiPorts;
  count: ResourceCount;
  streams: GuestStreams;
  fields: { kind: ResourceKind<Fields>; ofResponse(headers: KernelResponse['headers']): Fields };
  timeouts: ResourceKind<Timeouts>;
}): Record<string, object> {
  const { ports, count, streams, fields, timeouts } = options;
  const failed = (val: HttpError): WasiFailure => new WasiFailure(val);

  const requests: ResourceKind<Request> = defineResource<Request>({
    name: 'request',
    count,
    statics: {
      new: (headers, contents, trailers, given) => {
        const { promise, resolve: sent } = Promise.withResolvers<Settled>();
        const request = requests.make({
          ...newRequestLine(),
          headers: { ...fields.kind.consume(headers), isImmutable: true },
          contents,
          trailers: trailers as Trailers,
          timeouts: given === undefined ? {} : timeouts.consume(given),
          sent,
        });
        return [request, promise];
      },
    },
    methods: {
      ...requestSetters,
      getMethod: ({ method }) => method,
      getPathWithQuery: ({ path }) => path,
      getScheme: ({ scheme }) => scheme,
      getAuthority: ({ authority }) => authority,
      getOptions: (request) => timeouts.make({ ...request.timeouts }),
      getHeaders: ({ headers }) => fields.kind.make(headers),
    },
  });

  const responses: ResourceKind<Response> = defineResource<Response>({
    name: 'response',
    count,
    statics: {
      consumeBody: (given) => {
        const { body, trailers } = responses.consume(given);
        let left = body;
        const read = (maxBytes: number): Uint8Array | undefined => {
          if (left.length === 0) return undefined;
          const bytes = left.slice(0, maxBytes);
          left = left.subarray(bytes.length);
          return bytes;
        };
        const [stream, ended] = streams.reading({ read }, codeOf);
        const val = trailers && fields.kind.make(trailers);
        return [stream, ended.then(() => ({ tag: 'ok', val }))];
      },
    },
    methods: {
      getStatusCode: ({ status }) => status,
      getHeaders: ({ headers }) => fields.kind.make(headers),
    },
  });

  /** The whole body; what it cannot be sent with is thrown. */
  async function bodyOf(request: Request): Promise<Uint8Array | undefined> {
    const { contents, headers } = request;
    const body = contents === undefined ? undefined : newOutgoingBody(announcedBytes(headers));
    if (body !== undefined) {
      const write = (bytes: Uint8Array): void => writeBody(body, bytes);
      const written = await streams.writing(contents, { write }, codeOf);
      if (written.tag === 'err') throw failed(written.val as HttpError);
    }
    const trailers = await request.trailers;
    if (trailers.tag === 'err') throw failed(trailers.val as HttpError);
    const given = trailers.val === undefined ? undefined : fields.kind.consume(trailers.val);
    const failure = unsendable(body ?? newOutgoingBody(), given);
    if (failure !== undefined) throw failed(failure);
    return body?.buffer.take();
  }

  async function answerTo(request: Request): Promise<object> {
    const body = await bodyOf(request);
    if (request.scheme?.tag === 'other') throw failed({ tag: 'HTTP-protocol-error' });
    const args = sendArguments(request, body, phasesOf(request.timeouts));
    const answer = (await ports.askLater('http.send', args)) as KernelResponse;
    const { status, headers, trailers } = answer;
    return responses.make({
      status,
      headers: fields.ofResponse(headers),
      body: answer.body,
      trailers: trailers && fields.ofResponse(trailers),
    });
  }

  async function send(given: unknown): Promise<object> {
    const request = requests.consume(given);
    try {
      ports.admit('http', 'http.send');
      const response = await answerTo(request);
      request.sent(done);
      return response;
    } catch (thrown) {
      const told = thrown instanceof HostFailure ? failed(httpErrorOf(thrown)) : thrown;
      if (told instanceof WasiFailure) request.sent({ tag: 'err', val: told.payload });
      throw told;
    }
  }

  return {
    'wasi3:http/types': {
      Fields: fields.kind.face,
      Request: requests.face,
      RequestOptions: timeouts.face,
      Response: responses.face,
    },
    'wasi3:http/client': { send },
  };
}
