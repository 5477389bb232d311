/**
 * Glue copies lists of numbers out of a guest's memory with `ArrayBuffer.prototype.slice`. Lists
 * inside a list may all be the same bytes: with a few megabytes a guest can name terabytes, which
 * neither its memory's maximum nor the engine's heap limit bounds, because copies lie outside of
 * both. So what is copied in one call is counted here, and refused before it is allocated.
 *
 * @returns starts the count again
 */
export function boundCopies(maxBytes: number): () => void {
  let copied = 0;
  const slice = ArrayBuffer.prototype.slice;
  ArrayBuffer.prototype.slice = function (begin = 0, end = this.byteLength): ArrayBuffer {
    copied += Math.max(0, end - begin);
    if (copied > maxBytes) {
      throw new RangeError(`lists of more than ${maxBytes} bytes in one call`);
    }
    return slice.call(this, begin, end);
  };
  return () => {
    copied = 0;
  };
}
