/** Bytes of the body of an error that are read: its sentence is short, a page around it is not. */
const maxBytes = 64 * 1024;

/**
 * A `fetch` whose answers with an error status end, whatever the server sends: the body is cut
 * after 64 KiB and after a time, and what came until then is all of it.
 *
 * @param options.maxMs from the headers of the answer
 */
export function boundErrors(send: typeof fetch, options: { maxMs: number }): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (response.ok || response.body === null) return response;
    const { status, statusText, headers } = response;
    const body = response.body.pipeThrough(createCut(options.maxMs));
    return new Response(body, { status, statusText, headers });
  };
}

function createCut(maxMs: number): TransformStream<Uint8Array, Uint8Array> {
  let left = maxBytes;
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
