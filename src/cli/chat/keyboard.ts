import { PassThrough } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

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
  edit(onShiftTab?: () => void): {
    input: NodeJS.ReadableStream;
    expand(line: string): string;
  } & Disposable;
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
    edit: (onShiftTab = () => {}) => {
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
        const keys = typed.push(bytes);
        if (keys.includes(shiftTab)) onShiftTab();
        left += keys.replaceAll(shiftTab, '');
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

const shiftTab = '\u001b[Z';
const pasteStart = '\u001b[200~';
const pasteEnd = '\u001b[201~';
/** Alt+Enter, and Shift+Enter where terminals tell it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what keys send
const newLineKeys = /\u001b[\r\n]|\u001b\[13;[2-5]u|\u001b\[27;[2-5];13~/g;
/** Ends a line that goes on: to the end of the line, a backslash, Enter. */
const goOn = '\u0005\\\r';
// biome-ignore lint/suspicious/noControlCharactersInRegex: nothing that a terminal obeys is typed
const controls = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** Keys as an editor of one line takes them, out of what a terminal sends. */
export type TypedInput = {
  /** @returns what is typed into the line */
  push(bytes: Uint8Array): string;
  /** a line with the texts of the pastes that it names */
  expand(line: string): string;
};

/**
 * A text that was pasted never submits anything: of more than one line, it stands in the line as
 * `[paste 1: 12 lines]` until the line is submitted.
 */
export function createTypedInput(): TypedInput {
  const decoder = new StringDecoder('utf8');
  const pastes = new Map<string, string>();
  let waiting = '';
  /** of the paste that goes on */
  let pasted: string | undefined;

  const paste = (text: string): string => {
    const plain = text.replace(/\r\n?/g, '\n').replace(controls, '');
    const line = plain.replace(/\n+$/, '');
    if (!/[\n\t]/.test(line)) return line;
    const count = line.split('\n').length;
    const name = `[paste ${pastes.size + 1}: ${count} ${count === 1 ? 'line' : 'lines'}]`;
    pastes.set(name, plain.replace(/\n$/, ''));
    return name;
  };

  return {
    push: (bytes) => {
      let rest = waiting + decoder.write(Buffer.from(bytes));
      let typed = '';
      waiting = '';
      while (rest !== '') {
        const mark = pasted === undefined ? pasteStart : pasteEnd;
        const at = rest.indexOf(mark);
        // A mark may come in two pieces; Esc alone is a key.
        const cut = at < 0 ? rest.length - partOf(mark, rest, pasted === undefined ? 3 : 1) : at;
        const part = rest.slice(0, cut);
        if (pasted === undefined) typed += part.replace(newLineKeys, goOn);
        else pasted += part;
        if (at < 0) {
          waiting = rest.slice(cut);
          break;
        }
        if (pasted !== undefined) typed += paste(pasted);
        pasted = pasted === undefined ? '' : undefined;
        rest = rest.slice(at + mark.length);
      }
      return typed;
    },
    expand: (line) =>
      line.replace(/\[paste \d+: \d+ lines?\]/g, (name) => pastes.get(name) ?? name),
  };
}

/** Characters at the end of a text that begin a mark, from a length on. */
function partOf(mark: string, text: string, least: number): number {
  for (let length = mark.length - 1; length >= least; length -= 1) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}
