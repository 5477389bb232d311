import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

/** Of one message: a line. */
const maxMessageBytes = 16 * 1024 * 1024;
/** Since the last message to it; who sends more answers nobody. */
const maxUnaskedBytes = 64 * 1024 * 1024;

/** Until the end of a process is known whose pipe is broken. */
const endedMs = 1_000;

export type ServerStreams = { input: Writable; output: Readable; ended: Promise<string> };

/** Messages as lines of JSON over the streams of a program. `onFault` ends it. */
export function createStreamTransport(
  { input, output, ended }: ServerStreams,
  onFault: (reason: string) => void,
): Transport {
  let pieces: Buffer[] = [];
  let held = 0;
  let unasked = 0;
  let isOver = false;
  const close = (): void => {
    if (isOver) return;
    isOver = true;
    pieces = [];
    output.destroy();
    input.end();
    transport.onclose?.();
  };
  const fail = (reason: string): void => {
    if (isOver) return;
    onFault(reason);
    close();
  };
  const take = (line: string): void => {
    // Blank lines and what a start script says before the first message.
    if (!/^\s*[{[]/.test(line)) return;
    let message: JSONRPCMessage;
    try {
      message = JSON.parse(line) as JSONRPCMessage;
    } catch {
      fail('sent a line that is no JSON');
      return;
    }
    try {
      transport.onmessage?.(message);
    } catch {
      fail('sent a message that cannot be read');
    }
  };
  const read = (chunk: Buffer): void => {
    unasked += chunk.byteLength;
    if (unasked > maxUnaskedBytes) {
      fail(`sent more than ${maxUnaskedBytes} bytes unasked`);
      return;
    }
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0 && !isOver; at = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...pieces, chunk.subarray(from, at)]).toString('utf8');
      pieces = [];
      held = 0;
      from = at + 1;
      take(line);
    }
    const rest = chunk.subarray(from);
    held += rest.byteLength;
    if (held > maxMessageBytes) fail(`sent a message of more than ${maxMessageBytes} bytes`);
    else if (rest.byteLength > 0) pieces.push(rest);
  };
  const transport: Transport = {
    start: async () => {
      output.on('data', read);
      void ended.then(close);
    },
    send: async (message) => {
      if (isOver) throw new Error('the server is gone');
      // An answer to what it asks is no question of ours.
      if ('method' in message && 'id' in message) unasked = 0;
      if (input.writableLength > maxMessageBytes) {
        fail('does not read what it is sent');
        throw new Error('the server is gone');
      }
      await new Promise<void>((resolve, reject) => {
        input.write(`${JSON.stringify(message)}\n`, (error) => {
          if (!error) resolve();
          // Of one that ended, how it ended says more than a broken pipe.
          else void Promise.race([ended, sleep(endedMs)]).then(() => reject(error));
        });
      });
    },
    close: async () => close(),
  };
  return transport;
}
