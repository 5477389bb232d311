import { createInterface, type Interface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { columnsOf, shortenText } from '../../lib/text/columns.ts';
import { note } from '../output.ts';
import { bold } from '../style.ts';
import type { Keyboard } from './keyboard.ts';

/** Used when a terminal does not know its own width. */
const usualColumns = 80;
const maxHistory = 500;
/** Characters of one line that the arrow keys bring back. */
const maxRecalled = 4000;
/** Stands for the end of a line in a message that is edited again. */
const lineEnd = ' ⏎ ';

export type MessageReader = {
  /** @returns undefined when the person leaves: Ctrl+D, or Ctrl+C twice, at an empty line */
  read(): Promise<string | undefined>;
  /** Ends the line that is read as Ctrl+D does. */
  close(): void;
};

/** Reads messages of one or more lines, with what was typed before at the arrow keys. */
export function createMessageReader(options: {
  keyboard: Keyboard;
  screen: NodeJS.WriteStream;
  /** earlier messages, newest first */
  earlier: readonly string[];
  /** what a line that begins so could go on with */
  complete(line: string): Promise<readonly string[]>;
  /** one line that stands below the one that is edited */
  state?(): string;
  onShiftTab?(): void;
}): MessageReader {
  const { keyboard, screen, complete } = options;
  const history = options.earlier.flatMap(recalled).slice(0, maxHistory);
  let lines: Interface | undefined;
  /** Below the line, wherever in it the cursor stands; by moves alone, so that a screen may scroll. */
  const showState = (): void => {
    if (lines === undefined || options.state === undefined) return;
    const columns = screen.columns ?? usualColumns;
    const { rows, cols } = lines.getCursorPos();
    const width = stripVTControlCharacters(lines.getPrompt()).length + columnsOf(lines.line);
    const below = Math.floor(width / columns) - rows + 1;
    const text = shortenText(options.state(), columns - 1);
    screen.write(`${'\n'.repeat(below)}\r\u001b[K${text}\u001b[${below}A\r`);
    if (cols > 0) screen.write(`\u001b[${cols}C`);
  };
  // After Ctrl+Z and fg.
  const redraw = (): void => lines?.prompt(true);

  return {
    read: async () => {
      using keys = keyboard.edit(() => {
        options.onShiftTab?.();
        showState();
      });
      process.on('SIGCONT', redraw);
      const typed = await new Promise<string | undefined>((resolve) => {
        lines = createInterface({
          input: keys.input,
          output: screen,
          terminal: true,
          history: [...history],
          historySize: maxHistory,
          removeHistoryDuplicates: true,
          completer: (
            line: string,
            done: (failure: Error | null, found: [string[], string]) => void,
          ) => {
            const give = (found: readonly string[]): void => done(null, [[...found], line]);
            // A name that cannot be looked for is not completed.
            complete(line).then(give, () => give([]));
          },
        });
        keys.input.on('keypress', () => setImmediate(showState));
        searchBack(lines, keys.input, history);
        collect(lines, (text) => {
          // The answer begins where the state stood.
          if (options.state !== undefined) screen.write('\u001b[J');
          resolve(text);
        });
        showState();
      });
      process.off('SIGCONT', redraw);
      lines?.close();
      lines = undefined;
      if (typed === undefined) return undefined;
      const kept = recalled(typed);
      history.unshift(...kept.filter((line) => line !== history[0]));
      return keys.expand(typed.replaceAll(lineEnd, '\n')).trim();
    },
    close: () => lines?.close(),
  };
}

/** Ctrl+R puts the newest message with the words of the line in its place, and then those before it. */
function searchBack(
  lines: Interface,
  input: NodeJS.ReadableStream,
  history: readonly string[],
): void {
  let words = '';
  let shown: string | undefined;
  input.on('keypress', (_, key: { ctrl?: boolean; name?: string } | undefined) => {
    if (key?.ctrl !== true || key.name !== 'r') return;
    if (lines.line !== shown) words = lines.line.toLowerCase();
    const from = lines.line === shown ? history.indexOf(shown) + 1 : 0;
    const found = history.slice(from).find((line) => line.toLowerCase().includes(words));
    if (found === undefined) return;
    clearLine(lines);
    lines.write(found);
    shown = found;
  });
}

function clearLine(lines: Interface): void {
  lines.write(null, { ctrl: true, name: 'e' });
  lines.write(null, { ctrl: true, name: 'u' });
}

/** A line that ends with a backslash goes on. */
function collect(lines: Interface, resolve: (typed: string | undefined) => void): void {
  const before: string[] = [];
  let isLeaving = false;
  const prompt = (): void => {
    lines.setPrompt(before.length === 0 ? bold('> ', 'stderr') : '… ');
    lines.prompt();
  };
  lines.on('line', (line) => {
    isLeaving = false;
    if (/(?:^|[^\\])(?:\\\\)*\\$/.test(line)) {
      before.push(line.slice(0, -1));
      prompt();
      return;
    }
    const typed = [...before, line].join('\n');
    if (typed.trim() === '') prompt();
    else resolve(typed);
  });
  lines.on('SIGINT', () => {
    const isEmpty = lines.line === '' && before.length === 0;
    if (isEmpty && isLeaving) {
      resolve(undefined);
      return;
    }
    isLeaving = isEmpty;
    before.length = 0;
    clearLine(lines);
    if (isEmpty) {
      note('');
      note('Ctrl+C again, or Ctrl+D, leaves the chat.');
    }
    prompt();
  });
  lines.once('close', () => resolve(undefined));
  prompt();
}

/** On one line; a long text is not edited again. */
function recalled(message: string): string[] {
  const line = message.replaceAll('\n', lineEnd);
  return line.length > maxRecalled ? [] : [line];
}
