import { smallest } from '../numbers.ts';
import { columnsOf, shortenText } from './columns.ts';
import { escapeLine, escapePattern } from './escape.ts';

/** Lines of one passage among several. */
export const passageLines = 8;
/** Lines of a screen of 24 that passages have, under the head of an answer. */
const screenLines = 22;
/** The place of a passage, and the blank line behind it. */
const frameLines = 2;

/** Lines of a file, 1-based, inclusive, or a page of a document, whose lines no reader counts. */
type Place = { path: string; line: number; endLine: number; page?: number | undefined };

/**
 * `text` is the text of those lines, `within` the definition or section that they stand in, `doc` the
 * comment above them.
 */
type Passage = Place & { text: string; within?: string; doc?: { line: number; text: string } };

/** `src/a.ts:3-7`, `spec.pdf page 3`, on one line whatever a tool says that the path is. */
export function placeOf(piece: Place): string {
  if (piece.page !== undefined) return `${escapeLine(piece.path)} page ${piece.page}`;
  const lines = piece.line === piece.endLine ? `${piece.line}` : `${piece.line}-${piece.endLine}`;
  return `${escapeLine(piece.path)}:${lines}`;
}

/** Lines of each of some passages that share a screen, `least` or more: one alone is nearly whole. */
export function linesAmong(passages: number, least: number = passageLines): number {
  return Math.max(least, Math.floor(screenLines / passages) - frameLines);
}

/**
 * Path and lines, then the few lines that matter, those with words of the question marked.
 *
 * @param most lines that are shown; see `linesAmong`
 * @param columns that a line may take; lines stay whole when absent
 */
export function passageText(
  piece: Passage,
  question: string,
  most: number,
  columns: number = Number.POSITIVE_INFINITY,
): string {
  const words = questionWords(question);
  const lines = trimBlank(linesOf(piece, words, question));
  const isHeaded = document.test(piece.path) && beginsWithHeading(lines);
  const shown = isHeaded ? lines.filter(saysSomething).slice(0, most) : bestWindow(lines, most);
  return drawn(piece, trimBlank(shown), words, columns);
}

/** No picture, and no line of signs. */
function saysSomething({ text }: Line): boolean {
  return /[\p{L}\p{N}]|`{3}/u.test(text) && !/^\s*(?:<[^>]*>?.*|\[?!\[.*)$/.test(text);
}

const document = /\.(?:md|mdx|adoc|rst|txt)$/i;

const underline = /^([=*~^"+#-])\1{2,}\s*$/;

/** A section whose heading speaks of the question, `## Lamps` or with signs around it, is read from there. */
function beginsWithHeading([first, second]: readonly Line[]): boolean {
  if (first === undefined) return false;
  const isMarked = /^\s*(?:#{1,6}|={1,6})\s+\S/.test(first.text);
  const isOver = second !== undefined && underline.test(first.text) && second.hits > 0;
  const isUnder = second !== undefined && underline.test(second.text) && first.hits > 0;
  return (isMarked && first.hits > 0) || isOver || isUnder;
}

/** Lines of the comment above a definition that are shown at the most: its first ones say what it is. */
const docLines = 7;

/**
 * A piece from its first line on, below the first lines of its comment.
 *
 * @param most lines that are shown; what is left out is said below them
 * @param columns as of `passageText`
 */
export function wholeText(
  piece: Passage,
  question: string,
  most: number,
  columns: number = Number.POSITIVE_INFINITY,
): string {
  const words = questionWords(question);
  const all = linesOf(piece, words, question);
  const lines = document.test(piece.path) ? all : withoutLongComments(all, most);
  const above = piece.doc === undefined ? [] : linesOf(piece.doc, words);
  const doc = above.slice(0, Math.min(docLines, most / 3));
  const room = most - doc.length;
  const shown = drawn(piece, [...doc, ...trimBlank(lines.slice(0, room))], words, columns);
  const next = lines[room]?.number;
  return next === undefined ? shown : `${shown}\n  … goes on to line ${piece.endLine}`;
}

const comment = /^\s+(?:\/\/|\/?\*|#(?!\[)|--)/;
/** A piece of so many lines is seen at once. */
const seenAtOnce = 18;

/** A long piece without the rest of its long comments; their first lines stay. */
function withoutLongComments(lines: readonly Line[], most: number): readonly Line[] {
  if (lines.length <= Math.min(most, seenAtOnce)) return lines;
  return lines.filter(
    (_, at) => ![at - 2, at - 1, at].every((each) => comment.test(lines[each]?.text ?? '')),
  );
}

function linesOf(
  { path, line, text: whole }: { path?: string; line: number; text: string },
  words: readonly string[],
  question = '',
): Line[] {
  const named = path === undefined ? new Set() : framesOf(path, question);
  return whole.split('\n').map((text, index) => {
    const hits = words.filter((word) => text.toLowerCase().includes(word)).length;
    const isFrame = named.has(line + index);
    return { number: line + index, text, hits: isFrame ? hits + frameHits : hits };
  });
}

/** A line that a trace names is shown, however many words stand around it. */
const frameHits = 100;

/** The lines of a file that a text names: `a.py", line 3`, `a.js:3:9`, `a.php(3)`, `a.cs:line 3`. */
function framesOf(path: string, text: string): Set<number> {
  const name = escapePattern(path.replace(/^.*\//, ''));
  const frames = text.matchAll(
    new RegExp(`(?<![\\w.-])${name}["']?(?:, line |:line |:|\\()(\\d{1,7})`, 'g'),
  );
  return new Set([...frames].map(([, number]) => Number(number)));
}

function drawn(
  piece: Passage,
  lines: readonly Line[],
  words: readonly string[],
  columns: number,
): string {
  const width = String(piece.endLine).length;
  const body = lines.map(({ number, text, hits }) => {
    const start = `${hits > 0 ? '>' : ' '} ${String(number).padStart(width)} `;
    const shown = fromWord(text.replaceAll('\t', '  '), words, columns - start.length);
    return shortenText(`${start}${shown}`, columns).trimEnd();
  });
  const place = placeOf(piece);
  const room = columns - columnsOf(place);
  const around =
    piece.within === undefined || room < leadIn ? '' : `  in ${escapeLine(piece.within)}`;
  return [`${place}${shortenText(around, room)}`, ...body].join('\n');
}

/** Characters that are shown before a word which lies far behind. */
const leadIn = 20;

/** A long line from shortly before its first word of the question on, where that would be cut off. */
function fromWord(text: string, words: readonly string[], width: number): string {
  const folded = text.toLowerCase();
  const found = words.map((word) => folded.indexOf(word)).filter((at) => at >= 0);
  const first = smallest(found);
  const word = words.find((each) => folded.startsWith(each, first));
  if (word === undefined || columnsOf(text.slice(0, first + word.length)) < width) return text;
  return `…${Array.from(text.slice(Math.max(0, first - 2 * leadIn), first))
    .slice(-leadIn)
    .join('')}${text.slice(first)}`;
}

type Line = { number: number; text: string; hits: number };

/** The few neighbouring lines with most words of the question; earlier ones where equal. */
function bestWindow(lines: readonly Line[], most: number): Line[] {
  if (lines.length <= most) return trimBlank(lines);
  let best = 0;
  let bestHits = -1;
  for (let start = 0; start + most <= lines.length; start += 1) {
    const hits = lines.slice(start, start + most).reduce((sum, line) => sum + line.hits, 0);
    if (hits > bestHits) [best, bestHits] = [start, hits];
  }
  return trimBlank(lines.slice(best, best + most));
}

function trimBlank(lines: readonly Line[]): Line[] {
  const first = lines.findIndex((line) => line.text.trim() !== '');
  const last = lines.findLastIndex((line) => line.text.trim() !== '');
  return first < 0 ? [] : lines.slice(first, last + 1);
}

/** Beginnings of the question's longer words: `retries` marks `retry`, too. */
export function questionWords(question: string): string[] {
  const words = question.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [];
  const common =
    /^(the|and|are|for|how|what|where|which|when|who|why|does|did|show|list|all|with|from|this|that|there|into|file|files|code)$/;
  const stems = words
    .filter((word) => !common.test(word))
    .map((word) => (word.length > 5 ? word.slice(0, -2) : word));
  return [...new Set(stems)];
}
