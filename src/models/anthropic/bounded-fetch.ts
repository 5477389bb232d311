import { endlessAnswer } from './endless-answer.ts';

/**
 * The most bytes of the decoded body of one answer: an event takes a hundred bytes around each word, and no
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
 * @param options.maxErrorMs from the headers of the answer
 */
export function boundedFetch(options: { maxErrorMs: number }): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const bound = response.ok ? createLimit() : createCut(options.maxErrorMs);
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bound), { status, statusText, headers });
  };
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
