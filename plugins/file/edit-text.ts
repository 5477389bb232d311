import { splitLines } from './cut-lines.ts';

/** An edit that cannot be made as it was asked for; `code` is that of the tool's error. */
export class EditError extends Error {
  override readonly name = 'EditError';
  readonly code: 'not-found' | 'conflict' | 'invalid-input';

  constructor(code: EditError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** One exact replacement. */
export type Replacement = { old: string; new: string; all?: boolean | undefined };

/**
 * Replaces a piece of a text that stands there once, or each time it stands there when `all` is
 * said. In a text whose lines end with `\r\n`, pieces with `\n` mean its line ends.
 *
 * @param path for messages
 * @throws {EditError} `not-found` when it is missing, `conflict` when it is there more than once,
 *   `invalid-input` when it is empty or its own replacement
 */
export function replaceText(
  text: string,
  replacement: Replacement,
  path: string,
): { text: string; count: number } {
  const [old, fresh] = [replacement.old, replacement.new].map((piece) => asIn(text, piece)) as [
    string,
    string,
  ];
  if (old === '') throw new EditError('invalid-input', 'old is empty; use insert to add lines');
  if (old === fresh) throw new EditError('invalid-input', 'old and new are the same');
  const pieces = text.split(old);
  const count = pieces.length - 1;
  if (count === 0) throw new EditError('not-found', missing(text, old, path));
  if (count > 1 && !replacement.all) {
    const lines = linesOf(pieces, old).slice(0, 10).join(', ');
    const message = `old is ${count} times in ${path}, in lines ${lines}; give more of the text around it, or say all`;
    throw new EditError('conflict', message);
  }
  return { text: pieces.join(fresh), count };
}

/**
 * Puts lines in the place of lines `start` to `end`, 1-based and inclusive; with `end` one less
 * than `start` they are put before line `start`.
 *
 * @throws {EditError} `invalid-input` for a range that is not in the text
 */
export function replaceLines(
  text: string,
  range: { start: number; end: number; lines: string },
  path: string,
): string {
  const { start, end } = range;
  // A byte order mark stands before the first line.
  const first = text.startsWith('\uFEFF') ? 1 : 0;
  const total = splitLines(text.slice(first)).length;
  if (start > end + 1 || end > total || start > total + 1) {
    const asked = start > end ? `line ${start}` : `lines ${start} to ${end}`;
    throw new EditError('invalid-input', `${path} has ${total} lines, so it has no ${asked}`);
  }
  const ends = lineEnds(text);
  const from = start === 1 ? first : (ends[start - 2] ?? text.length);
  const to = end === 0 ? first : (ends[end - 1] ?? text.length);
  const before = text.slice(0, from);
  const after = text.slice(to);
  const newline = isCrLf(text) || text.slice(from, to).endsWith('\r\n') ? '\r\n' : '\n';
  const lines = asIn(text, range.lines);
  const opening = from === first || before.endsWith('\n') ? '' : newline;
  // The last line of a file keeps what it ended with: a line feed, or none.
  const hasEnd = after !== '' || text === '' || text.endsWith('\n');
  const closing = lines === '' || lines.endsWith('\n') || !hasEnd ? '' : newline;
  return before + (lines === '' ? '' : opening + lines + closing) + after;
}

/**
 * A text in the form of the one that it replaces: with its byte order mark, and with `\r\n` where all
 * its lines end so.
 *
 * @returns what was kept of that form, in words; none where the text has it already
 */
export function inFormOf(before: string, text: string): { text: string; kept: string[] } {
  const mark = before.startsWith('\uFEFF') && !text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const own = asIn(before, text);
  return {
    text: mark + own,
    kept: [
      ...(mark === '' ? [] : ['the byte order mark']),
      ...(own === text ? [] : ['\\r\\n as line end']),
    ],
  };
}

/** A piece as it would stand in a text, by the text's line ends. */
function asIn(text: string, piece: string): string {
  return isCrLf(text) ? piece.replace(/\r?\n/g, '\r\n') : piece;
}

function isCrLf(text: string): boolean {
  return text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text);
}

/** Offsets behind the end of each line. */
function lineEnds(text: string): number[] {
  return [...text.matchAll(/\n/g)].map(({ index }) => index + 1);
}

/** 1-based lines in which a piece begins. */
function linesOf(pieces: readonly string[], old: string): number[] {
  const newlines = (text: string) => text.split('\n').length - 1;
  const lines: number[] = [];
  let line = 1;
  for (const piece of pieces.slice(0, -1)) {
    line += newlines(piece);
    lines.push(line);
    line += newlines(old);
  }
  return lines;
}

/** The error for a missing piece. Mostly only its white space differs, and the message says so. */
function missing(text: string, old: string, path: string): string {
  const tight = (from: string) => from.replace(/\s+/g, ' ').trim();
  const near = tight(old) !== '' && tight(text).includes(tight(old));
  const why = near
    ? '; it is there with other white space: read the lines and copy them exactly'
    : '';
  return `old is not in ${path}${why}`;
}
