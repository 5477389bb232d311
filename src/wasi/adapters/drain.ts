import type { ValueType } from '../../protocol/bindings.ts';
import { ToolFailure } from './settled.ts';

/** The readable end of a stream, as glue gives it. */
type GuestStream = Disposable & {
  /** @returns up to `count` items: numbers as a typed array */
  read(options: { count: number }): Promise<{ done?: boolean; value?: ArrayLike<unknown> }>;
};

/** Items that are asked for at once: one at a time takes a hundred times as long. */
const itemsAtOnce = 65_536;

/**
 * What a function gave; a stream as the list of its items, a future as its value. A stream is read to
 * its end, one piece at a time, so that a guest that writes for ever ends at the limit.
 *
 * @param options.maxItems of a stream: a result of that many bytes holds no more
 * @param options.show is given the last item of each piece but of numbers, and how many there are
 * @returns the value itself where nothing has to be waited for
 * @throws {ToolFailure} `limit`
 */
export function drained(value: unknown, type: ValueType, options: DrainOptions): unknown {
  if (type.kind === 'future') return Promise.resolve(value);
  return type.kind === 'stream' ? readAll(value as GuestStream, options) : value;
}

type DrainOptions = {
  maxItems: number;
  reading: Set<Disposable>;
  show(item: unknown, count: number): void;
};

async function readAll(
  stream: GuestStream,
  { maxItems, reading, show }: DrainOptions,
): Promise<ArrayLike<unknown>> {
  const pieces: ArrayLike<unknown>[] = [];
  let length = 0;
  for await (const piece of readPieces(stream, itemsAtOnce, reading)) {
    length += piece.length;
    if (length > maxItems) {
      throw new ToolFailure(
        'limit',
        `it streams more than ${maxItems} items (limits.max-result-bytes)`,
      );
    }
    pieces.push(piece);
    if (Array.isArray(piece) && piece.length > 0) show(piece.at(-1), length);
  }
  // Bytes stay bytes: as numbers in a list they take a hundred times as long.
  const areBytes = pieces.length > 0 && pieces.every((piece) => piece instanceof Uint8Array);
  return areBytes
    ? Buffer.concat(pieces as Uint8Array[])
    : pieces.flatMap((piece) => Array.from(piece));
}

/**
 * The items of a stream, as many at once as are there. Whoever stops drops it.
 *
 * @param count of items in a piece at most
 * @param reading holds the stream until it has ended
 */
export async function* readPieces(
  stream: GuestStream,
  count: number,
  reading: Set<Disposable>,
): AsyncGenerator<ArrayLike<unknown>, void, undefined> {
  using _ = stream;
  reading.add(stream);
  try {
    for (;;) {
      const { done, value } = await stream.read({ count });
      if (done === true || value === undefined) return;
      yield value;
    }
  } finally {
    reading.delete(stream);
  }
}
