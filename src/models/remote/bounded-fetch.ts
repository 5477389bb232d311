import type { KernelError } from '../../contracts/error.ts';
import { modelError } from '../../contracts/talk/model-fault.ts';
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
 * A `fetch` whose answers end, whatever the server sends: of an error the SDK reads all there is,
 * of events whole lines. An answer that is too long is an error; the body of one with an error
 * status is cut after 64 KiB and after a time, and what came until then is all of it.
 *
 * It follows no redirect, because the key would go along, and takes events alone for an answer.
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
    const bound = response.ok ? createLimit() : createCut(options.maxErrorMs);
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bound), { status, statusText, headers });
  };
}

function urlOf(input: Parameters<typeof fetch>[0]): string {
  return input instanceof Request ? input.url : String(input);
}

function isAnswer(type: string): boolean {
  return type === '' || /^text\/event-stream\b/i.test(type);
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

function createLimit(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes > maxAnswerBytes) controller.error(endlessAnswer(`${maxAnswerBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
}

function createCut(maxMs: number): TransformStream<Uint8Array, Uint8Array> {
  let left = maxErrorBytes;
  let timer: NodeJS.Timeout | undefined;
  return new TransformStream({
    start: (controller) => {
      // What nobody reads, because the request is sent once more, keeps no process alive.
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
