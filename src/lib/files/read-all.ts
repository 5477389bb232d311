/**
 * All bytes of a stream, waited for however long they take, and read no further than it takes to
 * know that they are too many.
 *
 * @param maxBytes the most that is kept
 * @param tooLong makes what is thrown when there is more
 */
export async function readAll(
  input: AsyncIterable<Uint8Array>,
  maxBytes: number,
  tooLong: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
