import type { Readable } from 'node:stream';

/**
 * Gives each chunk of a stream to `take` as soon as it is read, as a listener of `data` does, but
 * past the stream's own bookkeeping: for each chunk Node schedules a look at whether to read on,
 * and whoever waits for what the chunk brought goes on behind that.
 *
 * @param stream pushes what it reads, as sockets do, and holds nothing yet
 */
export function takeChunks(stream: Readable, take: (chunk: Buffer) => void): void {
  const push = stream.push.bind(stream);
  stream.push = (chunk: Buffer | null) => {
    if (chunk === null) return push(chunk);
    take(chunk);
    return true;
  };
  // Has it read; and what would come without a push is taken all the same.
  stream.on('data', take);
}
