import { read } from 'node:fs';
import { HostFailure } from '../../paths/system-failure.ts';
import { createFrameDecoder, decodeBytes, jsonOf } from '../../protocol/frame.ts';
import { type LaterReply, maxOverlapping } from '../../protocol/messages.ts';

/** Host calls whose answers come while the guest goes on. */
export type LaterReplies = {
  /**
   * @param send sends the request with its number
   * @throws {HostFailure} what the kernel answered, or `limit`
   */
  ask(send: (seq: number) => void): Promise<unknown>;
  /** The call has ended: nobody waits any more. */
  forget(): void;
};

/** @param descriptor of the pipe that brings nothing else: the other one is read standing still */
export function createLaterReplies(descriptor: number): LaterReplies {
  let buffer: Buffer | undefined;
  const decode = createFrameDecoder();
  const waiting = new Map<number, (reply: LaterReply) => void>();
  let lastSeq = 0;
  let isReading = false;

  function readOn(): void {
    if (isReading || waiting.size === 0) return;
    isReading = true;
    buffer ??= Buffer.allocUnsafeSlow(64 * 1024);
    const taken = buffer;
    read(descriptor, taken, 0, taken.length, null, (error, count) => {
      isReading = false;
      // The kernel is gone, and nobody reads the result.
      if (error !== null || count === 0) process.exit(0);
      for (const frame of decode(Buffer.from(taken.subarray(0, count)))) {
        const reply = JSON.parse(jsonOf(frame)) as LaterReply;
        const take = waiting.get(reply.seq);
        waiting.delete(reply.seq);
        take?.(reply);
      }
      readOn();
    });
  }

  return {
    ask: (send) => {
      if (waiting.size >= maxOverlapping) {
        throw new HostFailure('limit', `more than ${maxOverlapping} host calls at once`);
      }
      lastSeq += 1;
      const seq = lastSeq;
      send(seq);
      return new Promise((resolve, reject) => {
        waiting.set(seq, (reply) => {
          if ('error' in reply) reject(new HostFailure(reply.error.tag, reply.error.val));
          else resolve(decodeBytes(reply.value));
        });
        readOn();
      });
    },
    forget: () => waiting.clear(),
  };
}
