import { StringDecoder } from 'node:string_decoder';

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
