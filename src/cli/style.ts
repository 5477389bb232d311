import { KernelError } from '../contracts/error.ts';

type When = 'auto' | 'always' | 'never';
type Stream = 'stdout' | 'stderr';

let when: When = 'auto';

/** What `--color` says. @throws {KernelError} `invalid-argument` */
export function setColor(word: string): void {
  if (word !== 'auto' && word !== 'always' && word !== 'never') {
    throw new KernelError('invalid-argument', `--color ${word} is not known`, {
      hint: 'Use --color auto, always or never.',
    });
  }
  when = word;
}

/**
 * Whether a stream takes colours: a terminal, unless NO_COLOR or TERM forbids it. `--color` outweighs both.
 */
export function isColoured(stream: Stream = 'stdout'): boolean {
  if (when !== 'auto') return when === 'always';
  const { NO_COLOR, TERM } = process.env;
  return process[stream].isTTY === true && !NO_COLOR && TERM !== 'dumb';
}

function styler(start: number, end: number): (text: string, stream?: Stream) => string {
  return (text, stream) => (isColoured(stream) ? `\u001b[${start}m${text}\u001b[${end}m` : text);
}

export const bold = styler(1, 22);
export const dim = styler(2, 22);
export const italic = styler(3, 23);
export const underline = styler(4, 24);
export const red = styler(31, 39);
export const green = styler(32, 39);
export const yellow = styler(33, 39);
export const blue = styler(34, 39);
export const cyan = styler(36, 39);
export const pathStyle = styler(35, 39);
export const hitStyle = styler(31, 39);

/** A line of a unified diff in the colours that git gives it. */
export function diffLine(line: string, stream?: Stream): string {
  if (/^(?:(?:\+\+\+|---) (?:[ab"]|\/dev\/null)|diff |index )/.test(line))
    return bold(line, stream);
  if (line.startsWith('+')) return green(line, stream);
  if (line.startsWith('-')) return red(line, stream);
  return line.startsWith('@@') ? cyan(line, stream) : line;
}

/** Columns of standard output; undefined where it is not a terminal and lines stay whole. */
export function terminalColumns(): number | undefined {
  return process.stdout.isTTY === true ? process.stdout.columns || 80 : undefined;
}
