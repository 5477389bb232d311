import type { KernelError } from '../../contracts/error.ts';
import { modelError } from '../../contracts/talk/model-fault.ts';
import { isObject } from '../../contracts/tool.ts';
import { connectingFetch } from './connecting-fetch.ts';
import { endlessAnswer } from './endless-answer.ts';

/**
 * The most bytes of the body of one answer: an event takes a hundred bytes around each word, and no
 * answer has a hundred thousand words.
 */
const maxAnswerBytes = 64 * 1024 * 1024;
/** The most bytes of the body of an error: its sentence is short, but a page around it is not. */
const maxErrorBytes = 64 * 1024;

/**
 * A `fetch` whose answers end, whatever the server sends: the SDK reads errors as a whole,
 * and events by whole lines. An answer that is too long is an error; the body of one with an error
 * status is cut after 64 KiB and after a time, and what came until then is all of it.
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
      // An unread answer, because the request is sent again, keeps no process alive.
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
