import type { Readable, Writable } from 'node:stream';

/**
 * Pipes without what Node keeps for streams that are paused, piped and read by demand. That is a
 * tenth of what the kernel executes for a short call, and with each chunk that is read Node
 * schedules a look at whether to read on, after which whoever waits for the chunk has to wait.
 */

/** The Node whose streams call `push` and `_write` in the way that this needs. */
const knownNode = 26;

function isKnown(version: string): boolean {
  return Number.parseInt(version, 10) === knownNode;
}

/**
 * Gives each chunk to `take` as soon as it was read, as a listener of `data` does.
 *
 * @param stream pushes what it reads, as sockets do, and has no other listener
 * @param node its version; with an unknown one the stream is used as any other
 */
export function takeChunks(
  stream: Readable,
  take: (chunk: Buffer) => void,
  node = process.versions.node,
): void {
  if (!isKnown(node)) {
    stream.on('data', take);
    return;
  }
  const push = stream.push.bind(stream);
  stream.push = (chunk: Buffer | null) => {
    if (chunk === null) return push(chunk);
    take(chunk);
    return true;
  };
  // Has it read; and what would come without a push is taken anyway.
  stream.on('data', take);
}

/** Bytes, or a string whose units are bytes. */
export type Piece = Uint8Array | string;

/** The encoding that streams use for bytes. */
const asBuffer = 'buffer' as BufferEncoding;

/**
 * Writes pieces one behind the other. A pipe that is closed or breaks drops the rest silently: its
 * reader is gone, which the caller sees by other means.
 *
 * @param stream a socket with no other writer
 * @returns takes the next piece, which must not change any more, and says how many bytes wait
 *   behind the piece that is being written
 */
export function createPipeWriter(
  stream: Writable,
  node = process.versions.node,
): (piece: Piece) => number {
  if (!isKnown(node)) {
    return (piece) => {
      if (!stream.writable) return 0;
      if (typeof piece === 'string') stream.write(piece, 'latin1');
      else stream.write(piece);
      return stream.writableLength;
    };
  }
  let waitingBytes = 0;
  let waiting: Piece[] = [];
  // The queue in reverse: taking from the front of a long list moves all others.
  let leaving: Piece[] = [];
  let isWriting = false;
  let isGoingOn = false;
  const written = (): void => {
    isWriting = false;
    // Many pieces end at once, above all those for a pipe that broke: one loop, not a call in a call.
    if (isGoingOn) return;
    isGoingOn = true;
    while (!isWriting && leaving.length + waiting.length > 0) {
      if (leaving.length === 0) [leaving, waiting] = [waiting.reverse(), leaving];
      const next = leaving.pop() as Piece;
      waitingBytes -= next.length;
      write(next);
    }
    isGoingOn = false;
  };
  const write = (piece: Piece): void => {
    isWriting = true;
    stream._write(piece, typeof piece === 'string' ? 'latin1' : asBuffer, written);
  };
  return (piece) => {
    if (!isWriting) write(piece);
    else {
      waiting.push(piece);
      waitingBytes += piece.length;
    }
    return waitingBytes;
  };
}
