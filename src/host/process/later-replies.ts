import { read, readSync } from 'node:fs';
import { HostFailure } from '../../paths/system-failure.ts';
import { createFrameDecoder, decodeBytes, jsonOf } from '../../protocol/frame.ts';
import { type LaterReply, maxOverlapping } from '../../protocol/messages.ts';
import type { StartedCall } from '../../wasi/gate-ports.ts';

/** Host calls whose answers come while the guest goes on. */
export type LaterReplies = {
  /**
   * @param send sends the request with its number
   * @throws {HostFailure} what the kernel answered, or `limit`
   */
  ask(send: (seq: number) => void): Promise<unknown>;
  /**
   * For a guest that stands still when it waits.
   *
   * @returns undefined, and sends nothing, while answers are read that a guest of `ask` waits for
   */
  start(send: (seq: number) => void): StartedCall | undefined;
  /** The call has ended: nobody waits any more. */
  forget(): void;
};

const bufferBytes = 64 * 1024;

/** @param descriptor of the pipe that brings nothing else: the other one is read standing still */
export function createLaterReplies(descriptor: number): LaterReplies {
  let buffer: Buffer | undefined;
  const decode = createFrameDecoder();
  const waiting = new Map<number, (reply: LaterReply) => void>();
  let lastSeq = 0;
  let isReading = false;
  /** Those of `waiting` whose guest stands still. */
  let started = 0;

  function take(count: number): void {
    // The kernel is gone, and nobody reads the result.
    if (count === 0) process.exit(0);
    for (const frame of decode(Buffer.from((buffer as Buffer).subarray(0, count)))) {
      const reply = JSON.parse(jsonOf(frame)) as LaterReply;
      const answered = waiting.get(reply.seq);
      waiting.delete(reply.seq);
      answered?.(reply);
    }
  }

  function readOn(): void {
    if (isReading || waiting.size === 0) return;
    isReading = true;
    buffer ??= Buffer.allocUnsafeSlow(bufferBytes);
    read(descriptor, buffer, 0, bufferBytes, null, (error, count) => {
      isReading = false;
      take(error === null ? count : 0);
      readOn();
    });
  }

  /** Stands still until one of the started calls is answered. */
  function readStill(): void {
    buffer ??= Buffer.allocUnsafeSlow(bufferBytes);
    for (const before = started; started > 0 && started === before; )
      take(readSync(descriptor, buffer, 0, bufferBytes, null));
  }

  function next(send: (seq: number) => void): number {
    lastSeq += 1;
    send(lastSeq);
    return lastSeq;
  }

  return {
    ask: (send) => {
      if (waiting.size >= maxOverlapping) {
        throw new HostFailure('limit', `more than ${maxOverlapping} host calls at once`);
      }
      // What reads in the background would take the answers that a guest stands still for.
      while (started > 0) readStill();
      const seq = next(send);
      return new Promise((resolve, reject) => {
        waiting.set(seq, (reply) => {
          if ('error' in reply) reject(new HostFailure(reply.error.tag, reply.error.val));
          else resolve(decodeBytes(reply.value));
        });
        readOn();
      });
    },
    start: (send) => {
      if (isReading) return undefined;
      while (waiting.size >= maxOverlapping) readStill();
      let answered: LaterReply | undefined;
      const seq = next(send);
      started += 1;
      waiting.set(seq, (reply) => {
        started -= 1;
        answered = reply;
      });
      return {
        answer: () => {
          if (answered === undefined) return undefined;
          if ('error' in answered) throw new HostFailure(answered.error.tag, answered.error.val);
          return { value: decodeBytes(answered.value) };
        },
        wait: readStill,
      };
    },
    forget: () => {
      waiting.clear();
      started = 0;
    },
  };
}
