import type { IncomingMessage, RequestOptions } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { KernelError } from '../../contracts/error.ts';
import { modelError } from '../../contracts/talk.ts';
import { isObject } from '../../contracts/tool.ts';
import { decoderOf, nodeHttp, nodeHttps } from '../../lib/net/node-http.ts';
import { endlessAnswer } from './limits.ts';

/**
 * The most bytes of one answer: events add a hundred bytes to each word, and no answer has a
 * hundred thousand words.
 */
const maxAnswerBytes = 64 * 1024 * 1024;
/** The most bytes of the body of an error: its sentence is short, but a page around it is not. */
const maxErrorBytes = 64 * 1024;

/**
 * A `fetch` whose answers end, whatever the server sends: the SDK reads errors as a whole, and
 * events by whole lines. An answer that is too long is an error. With an error status, the body
 * ends after 64 KiB or after a time, whatever follows.
 *
 * It follows no redirect, because the key would go along. An answer is events; one object of JSON,
 * as a server sends that does not stream or that fails with status 200, becomes one event.
 *
 * @param options.maxErrorMs from the headers of the answer
 * @param options.connectMs see `connectingFetch()`
 */
export function boundedFetch(options: { maxErrorMs: number; connectMs: number }): typeof fetch {
  const send = connectingFetch(options);
  return async (input, init) => {
    const response = await send(input, init);
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw redirected(urlOf(input), response.headers.get('location'));
    }
    if (response.body === null) return response;
    const type = response.headers.get('content-type') ?? '';
    if (response.ok && !isAnswer(type)) {
      await response.body.cancel();
      throw noModelServer(urlOf(input), type);
    }
    const { status, statusText, headers } = response;
    if (!response.ok) {
      const cut = new Response(response.body.pipeThrough(createCut(options.maxErrorMs)));
      return new Response(asError(await cut.text()), { status, statusText, headers });
    }
    let isEnded = false;
    const events = createEvents(urlOf(input), () => {
      isEnded = true;
    });
    const answer = new Response(response.body.pipeThrough(events), { status, statusText, headers });
    whole.set(answer, () => isEnded);
    return answer;
  };
}

const whole = new WeakMap<Response, () => boolean>();

/** Whether a server said of its answer that nothing more comes. */
export function isWhole(answer: Response): boolean {
  return whole.get(answer)?.() === true;
}

/** The body of an error with its reason where the SDKs look for it. */
function asError(text: string): string {
  const body = jsonOf(text);
  if (!isObject(body)) return text;
  const reason = body.error ?? body.detail ?? body.message ?? body;
  const message = typeof reason === 'string' ? reason : JSON.stringify(reason);
  return JSON.stringify({
    ...body,
    error: isObject(reason) && reason !== body ? reason : { message },
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function urlOf(input: Parameters<typeof fetch>[0]): string {
  return input instanceof Request ? input.url : String(input);
}

function isAnswer(type: string): boolean {
  return type === '' || /^(?:text\/event-stream|application\/json)\b/i.test(type);
}

function noModelServer(url: string, type: string): KernelError {
  return modelError(
    { kind: 'refused' },
    `${url} answered with "${type.slice(0, 100)}", which is not an answer of a model`,
    'check the address: the base URL of such a server often ends in /v1',
  );
}

function redirected(url: string, to: string | null): KernelError {
  return modelError(
    { kind: 'refused' },
    `${url} redirects to ${(to ?? 'another place').slice(0, 300)}, where the key would go along`,
    'name the new address yourself if you trust it',
  );
}

function createEvents(url: string, onEnd: () => void): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let begin = '';
  let tail = '';
  const json: Uint8Array[] = [];
  return new TransformStream({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes > maxAnswerBytes) controller.error(endlessAnswer(`${maxAnswerBytes} bytes`));
      if (begin === '') begin = Buffer.from(chunk).toString('latin1').trimStart().slice(0, 1);
      if (begin === '{') {
        json.push(chunk);
        return;
      }
      tail = (tail + Buffer.from(chunk.subarray(-32)).toString('latin1')).slice(-32);
      if (tail.includes('[DONE]')) onEnd();
      controller.enqueue(chunk);
    },
    flush: (controller) => {
      if (begin !== '{') return;
      const text = Buffer.concat(json).toString('utf8');
      const body = jsonOf(text);
      if (!isObject(body)) {
        controller.error(noModelServer(url, text));
        return;
      }
      onEnd();
      const kind = 'error' in body && body.error !== null ? 'event: error\n' : '';
      const data = kind === '' ? text : asError(text);
      controller.enqueue(Buffer.from(`${kind}data: ${data.replace(/[\r\n]+/g, ' ')}\n\n`));
    },
  });
}

function createCut(maxMs: number): TransformStream<Uint8Array, Uint8Array> {
  let left = maxErrorBytes;
  let timer: NodeJS.Timeout | undefined;
  return new TransformStream({
    start: (controller) => {
      // `unref`: an answer that nobody reads, since its request is repeated, must not keep the
      // process.
      timer = setTimeout(() => controller.terminate(), maxMs).unref();
    },
    transform: (chunk, controller) => {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left > 0) return;
      clearTimeout(timer);
      controller.terminate();
    },
    flush: () => clearTimeout(timer),
  });
}

/** Statuses whose answers have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);
/** What a `Response` can have. */
const lastStatus = 599;

/**
 * A `fetch` for the requests of the SDKs, which gives up when no connection is there in time: the
 * name looked up, connected, and the certificate seen. It waits for an answer as long as its caller
 * does; the platform's `fetch` gives up after five minutes, which a model on this machine may need.
 * It follows no redirect. It asks for no compression, but unpacks an answer that a proxy
 * compressed.
 *
 * @param options.connectMs for each request; one that goes over an open connection has it at once
 */
export function connectingFetch({ connectMs }: { connectMs: number }): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const body = textOf(init.body);
    const headers = Object.fromEntries(new Headers(init.headers));
    const options: RequestOptions = {
      method: init.method ?? 'GET',
      headers: { ...headers, 'accept-encoding': 'identity' },
      ...(init.signal ? { signal: init.signal } : {}),
    };
    return toResponse(await answerOf(url, options, body, connectMs), url);
  };
}

function textOf(body: RequestInit['body']): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return body;
  throw new TypeError('only text is sent to a model');
}

async function answerOf(
  url: URL,
  options: RequestOptions,
  body: string | undefined,
  connectMs: number,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { request } = url.protocol === 'https:' ? nodeHttps() : nodeHttp();
  const sent = request(url, options, resolve).on('error', reject);
  const timer = setTimeout(() => sent.destroy(unconnected(url, connectMs)), connectMs);
  sent.once('socket', (socket) => {
    const isThere = (): void => clearTimeout(timer);
    // A reused connection is open already.
    if (sent.reusedSocket) isThere();
    else socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', isThere);
  });
  sent.end(body);
  return await promise.finally(() => clearTimeout(timer));
}

function toResponse(answer: IncomingMessage, url: URL): Response {
  const { statusCode: status = 0, statusMessage: statusText = '' } = answer;
  if (status > lastStatus) {
    answer.destroy();
    throw oddStatus(url, status);
  }
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const isEmpty = bodiless.has(status);
  if (isEmpty) answer.resume();
  const packed = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  const body = isEmpty
    ? null
    : (Readable.toWeb(unpacked(answer, packed)) as ReadableStream<Uint8Array>);
  return new Response(body, { status, statusText, headers });
}

function unpacked(answer: IncomingMessage, packed: string): Readable {
  const unpack = decoderOf(packed);
  if (unpack === undefined) return answer;
  // No callback needed: the reader of the stream gets the error.
  return pipeline(answer, unpack(), () => {});
}

function unconnected(url: URL, connectMs: number): KernelError {
  return modelError(
    { kind: 'unreachable' },
    // One of the SDKs makes an error of its own of any whose message has the word "timeout".
    `${url.origin} accepted no connection within ${connectMs / 1_000} s`,
    'check the address and that the server runs (models.connect-timeout-ms is how long it is waited for), or run without a model: --model none',
  );
}

function oddStatus(url: URL, status: number): KernelError {
  return modelError(
    { kind: 'refused' },
    `${url.origin} answered with status ${status}, which no server of models does`,
    'check the address, or run without a model: --model none',
  );
}
