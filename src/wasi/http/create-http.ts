import { HostFailure } from '../../paths/system-failure.ts';
import type { StartedCall, WasiPorts } from '../gate-ports.ts';
import { lookAt, type Readiness, type WasiIo } from '../io/create-io.ts';
import {
  defineResource,
  type ResourceCount,
  type ResourceKind,
  u64Of,
  WasiFailure,
} from '../resource.ts';
import type { GuestStreams } from '../three/guest-streams.ts';
import { createNewerHttp } from '../three/newer-http.ts';
import { createFields, type Fields, type HttpError, httpErrorOf } from './fields.ts';
import {
  createIncomingResponses,
  createOutgoingBodies,
  createOutgoingRequests,
  type IncomingResponse,
  newOutgoingBody,
  type OutgoingBody,
  type OutgoingRequest,
} from './messages.ts';
import {
  type KernelResponse,
  type Phases,
  phasesOf,
  sendArguments,
  type Timeouts,
} from './send-arguments.ts';

type Answer = { response: IncomingResponse } | { error: HttpError };
type Future = Readiness & {
  answer: Answer | undefined;
  /** undefined until the request is sent */
  call: StartedCall | undefined;
  isTaken: boolean;
};

/**
 * `wasi:http/types` and `outgoing-handler` of 0.2, and `client` of 0.3. A request is one call of
 * the kernel's `http.send`, which decides about the origin and inserts secrets; it goes out whole
 * once its body is finished, and its response comes whole. Several may be under way.
 */
export function createHttp(options: {
  ports: WasiPorts;
  count: ResourceCount;
  io: WasiIo;
  streams: GuestStreams;
}): Record<string, object> {
  const { ports, count, io, streams } = options;
  const fields = createFields(count);
  const bodies = createOutgoingBodies({
    count,
    io,
    consumeTrailers: (trailers) => fields.kind.consume(trailers),
  });
  const requests = createOutgoingRequests({ count, fields: fields.kind, bodies });
  const responses = createIncomingResponses({ count, io, fields: fields.kind });

  const timeouts: ResourceKind<Timeouts> = defineResource<Timeouts>({
    name: 'request-options',
    count,
    construct: () => ({}),
    methods: {
      getConnectTimeout: ({ connect }) => connect,
      getFirstByteTimeout: ({ firstByte }) => firstByte,
      getBetweenBytesTimeout: ({ betweenBytes }) => betweenBytes,
      clone: (all) => timeouts.make({ ...all }),
      connectTimeout: ({ connect }) => connect,
      setConnectTimeout: (all, value) => keepTimeout(all, 'connect', value),
      firstByteTimeout: ({ firstByte }) => firstByte,
      setFirstByteTimeout: (all, value) => keepTimeout(all, 'firstByte', value),
      betweenBytesTimeout: ({ betweenBytes }) => betweenBytes,
      setBetweenBytesTimeout: (all, value) => keepTimeout(all, 'betweenBytes', value),
    },
  });

  const futures = defineResource<Future>({
    name: 'future-incoming-response',
    count,
    methods: {
      subscribe: (future) => io.pollable(future),
      get: (future) => {
        lookAt(future);
        if (future.answer === undefined) return undefined;
        if (future.isTaken) return { tag: 'err', val: undefined };
        future.isTaken = true;
        const { answer } = future;
        if ('error' in answer) return { tag: 'ok', val: { tag: 'err', val: answer.error } };
        return { tag: 'ok', val: { tag: 'ok', val: responses.kind.make(answer.response) } };
      },
    },
  });

  function send(request: OutgoingRequest, phases: Phases): StartedCall | Answer {
    const { failure } = request.body ?? {};
    if (failure !== undefined) return { error: failure };
    if (request.scheme?.tag === 'other') return { error: { tag: 'HTTP-protocol-error' } };
    try {
      return ports.start('http.send', sendArguments(request, request.body?.buffer.take(), phases));
    } catch (thrown) {
      return { error: httpErrorOf(thrown) };
    }
  }

  function answerOf(call: StartedCall): Answer | undefined {
    try {
      const answer = call.answer();
      if (answer === undefined) return undefined;
      const { status, headers, body, trailers } = answer.value as KernelResponse;
      const sent = trailers === undefined ? undefined : fields.ofResponse(trailers);
      const response = { status, headers: fields.ofResponse(headers), body, trailers: sent };
      return { response: { ...response, isConsumed: false } };
    } catch (thrown) {
      return { error: httpErrorOf(thrown) };
    }
  }

  function handle(given: unknown, givenTimeouts: unknown): object {
    const request = requests.consume(given);
    const phases = phasesOf(givenTimeouts === undefined ? {} : timeouts.consume(givenTimeouts));
    try {
      ports.admit('http', 'http.send');
    } catch (thrown) {
      if (!(thrown instanceof HostFailure)) throw thrown;
      throw new WasiFailure(httpErrorOf(thrown));
    }
    const future: Future = {
      answer: undefined,
      call: undefined,
      isTaken: false,
      isReady: () => {
        if (future.call !== undefined) future.answer ??= answerOf(future.call);
        return future.answer !== undefined;
      },
      wait: () => (future.answer === undefined ? future.call?.wait : undefined),
      // A guest that waits for the answer before it ended its question would wait forever.
      force: () => {
        const val = 'the body of the request was not finished';
        future.answer ??= { error: { tag: 'internal-error', val } };
      },
    };
    const go = (): void => {
      if (future.answer !== undefined) return;
      const sent = send(request, phases);
      if ('wait' in sent) future.call = sent;
      else future.answer = sent;
    };
    if (request.body === undefined || request.body.isFinished) go();
    else request.body.whenFinished = go;
    return futures.make(future);
  }

  return {
    ...createNewerHttp({ ports, count, streams, fields, timeouts }),
    'wasi:http/types': {
      Fields: fields.kind.face,
      OutgoingBody: bodies.face,
      OutgoingRequest: requests.face,
      IncomingResponse: responses.kind.face,
      ...responses.faces,
      RequestOptions: timeouts.face,
      FutureIncomingResponse: futures.face,
      ...createServerSide(count, fields.kind, bodies),
      httpErrorCode: (error: unknown) => io.causeOf(error).http,
    },
    'wasi:http/outgoing-handler': { handle },
  };
}

/** Imports of a component that answers requests; none are sent to it here. */
function createServerSide(
  count: ResourceCount,
  fields: { make(fields: Fields): object; consume(value: unknown): Fields },
  bodies: { make(body: OutgoingBody): object },
): Record<string, object> {
  type Response = { status: number; headers: Fields; isBodyTaken: boolean };
  const responses = defineResource<Response>({
    name: 'outgoing-response',
    count,
    construct: (headers) => ({
      status: 200,
      headers: { ...fields.consume(headers), isImmutable: true },
      isBodyTaken: false,
    }),
    methods: {
      statusCode: ({ status }) => status,
      setStatusCode: (response, status) => {
        if (typeof status !== 'number' || status < 100 || status > 599) {
          throw new WasiFailure(undefined);
        }
        response.status = status;
      },
      headers: ({ headers }) => fields.make(headers),
      body: (response) => {
        if (response.isBodyTaken) throw new WasiFailure(undefined);
        response.isBodyTaken = true;
        return bodies.make(newOutgoingBody());
      },
    },
  });
  const never = (name: string): object => defineResource({ name, count, methods: {} }).face;
  return {
    OutgoingResponse: responses.face,
    IncomingRequest: never('incoming-request'),
    ResponseOutparam: never('response-outparam'),
  };
}

function keepTimeout(all: Timeouts, name: keyof Timeouts, value: unknown): void {
  if (value === undefined) delete all[name];
  else all[name] = u64Of(value);
}
