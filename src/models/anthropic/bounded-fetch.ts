import { endlessAnswer } from './endless-answer.ts';

/**
 * Of the body of one answer, decoded, whatever its status is: an event takes a hundred bytes
 * around each word, and no answer has a hundred thousand words.
 */
const maxBodyBytes = 64 * 1024 * 1024;

/** As `fetch`, with a body that ends: of an error the SDK reads all there is, of events whole lines. */
export async function boundedFetch(url: string | URL | Request, init?: RequestInit) {
  const response = await fetch(url, init);
  if (response.body === null) return response;
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes > maxBodyBytes) controller.error(endlessAnswer(`${maxBodyBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
}
