import { PassThrough } from 'node:stream';
import { createTypedInput } from './typed-input.ts';

const ctrlC = 3;
const ctrlZ = 26;
/** Bytes that a person may type ahead while an answer is made. */
const maxAheadBytes = 64 * 1024;

/**
 * The keys of a terminal, which somebody has all the time: the line that is edited, the chat while
 * it answers, or a question of consent, which reads them itself.
 */
export type Keyboard = Disposable & {
  /** Keys go into this stream until it is disposed, those that were typed ahead first. */
  edit(): { input: NodeJS.ReadableStream; expand(line: string): string } & Disposable;
  /** Keeps typed keys for the next line; reports Ctrl+C. */
  answer(onInterrupt: () => void): Disposable;
  /** Lends the terminal to somebody else for a while. */
  lend<Value>(to: () => Promise<Value>): Promise<Value>;
};

/** Takes the terminal until it is disposed. */
export function openKeyboard(terminal: NodeJS.ReadStream, screen: NodeJS.WriteStream): Keyboard {
  const typed = createTypedInput();
  let ahead: Buffer = Buffer.alloc(0);
  /** of what an editor was given, the lines behind the one that ended it */
  let left = '';
  let taker: ((bytes: Buffer) => void) | undefined;
  const isMarked = process.env.TERM !== 'dumb';

  const keep = (bytes: Buffer): void => {
    if (ahead.length + bytes.length <= maxAheadBytes) ahead = Buffer.concat([ahead, bytes]);
  };
  const onData = (bytes: Buffer): void => {
    if (bytes.length === 1 && bytes[0] === ctrlZ) suspend();
    else (taker ?? keep)(bytes);
  };
  const take = (): void => {
    terminal.setRawMode(true);
    terminal.on('data', onData);
    terminal.resume();
    // Pasted texts come between marks.
    if (isMarked) screen.write('\u001b[?2004h');
  };
  const release = (): void => {
    if (isMarked) screen.write('\u001b[?2004l');
    terminal.off('data', onData);
    terminal.pause();
    terminal.setRawMode(false);
  };
  const suspend = (): void => {
    if (process.platform === 'win32') return;
    release();
    process.once('SIGCONT', take);
    process.kill(process.pid, 'SIGTSTP');
  };
  take();

  return {
    edit: () => {
      const input = new PassThrough();
      let feeding: NodeJS.Immediate | undefined;
      // A line at a time: the editor may end behind each, and what it read beyond would be lost.
      const feed = (): void => {
        const [line = ''] = /^[^\r\n]*[\r\n]?/.exec(left) ?? [];
        left = left.slice(line.length);
        input.write(line);
        feeding = left === '' ? undefined : setImmediate(feed);
      };
      taker = (bytes) => {
        left += typed.push(bytes);
        if (feeding === undefined) feed();
      };
      taker(ahead);
      ahead = Buffer.alloc(0);
      return {
        input,
        expand: typed.expand,
        [Symbol.dispose]: () => {
          clearImmediate(feeding);
          taker = undefined;
          input.destroy();
        },
      };
    },
    answer: (onInterrupt) => {
      taker = (bytes) => {
        if (bytes.includes(ctrlC)) {
          // A person who interrupts does not want the keys typed before.
          ahead = Buffer.alloc(0);
          left = '';
          onInterrupt();
        } else keep(bytes);
      };
      return {
        [Symbol.dispose]: () => {
          taker = undefined;
        },
      };
    },
    lend: async (to) => {
      release();
      try {
        return await to();
      } finally {
        take();
      }
    },
    [Symbol.dispose]: release,
  };
}
