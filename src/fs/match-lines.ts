import { fsLimits } from '../paths/fs-limits.ts';
import type { LinePattern } from './compile-pattern.ts';

/** @param length bytes of the text; what lies behind them in the buffer may be anything */
export type Prefilter = (buffer: Buffer, length: number) => boolean;

/** Files after which it is known whether the needles are rare. */
const trialFiles = 100;

/**
 * Passes files that may hold one of the needles, and all of UTF-16. If the needles turn out not to
 * be rare, the test costs more than it saves, and every file passes.
 *
 * @param needles none of them empty; without any everything passes
 */
export function createPrefilter(needles: readonly Buffer[]): Prefilter {
  const wanted = needles.map((whole) => ({ whole, piece: rarestPiece(whole) }));
  const viewOf = createViews();
  let asked = 0;
  let passed = 0;
  return (buffer, length) => {
    if (wanted.length === 0 || buffer[0]! >= 0xfe) return true;
    if (asked === trialFiles && passed > trialFiles / 3) return true;
    const view = viewOf(buffer, length);
    let holds = false;
    for (const { whole, piece } of wanted) holds ||= view.includes(piece) && view.includes(whole);
    if (asked < trialFiles) {
      asked += 1;
      if (holds) passed += 1;
    }
    return holds;
  };
}

/**
 * Printable bytes of source code and prose, the most frequent first: counted in 6,000 files in
 * TypeScript, JavaScript, Python, C and Markdown, each weighing the same.
 */
const byFrequency =
  ' etnsiro_acdlpfuh,Sm()*E.gO\'yTNI/CRbL0xPkA:;#Dw"v-1=2MFBU{}G5X[]3K>VH6948Y<\\`j|Wq7zJ~?&+@Z!$Q%^';

/** Up to this length a search jumps from one first byte to the next and does nothing else. */
const pieceBytes = 7;

/**
 * The part of a needle that begins with its rarest byte. Looking for one byte is many times quicker
 * than for several, and a rare byte seldom needs a second look.
 */
function rarestPiece(needle: Buffer): Buffer {
  let at = 0;
  let rarest = -1;
  // The last byte has nothing behind it that could tell one place from another.
  for (let index = 0; index < Math.max(1, needle.length - 1); index += 1) {
    const rank = byFrequency.indexOf(String.fromCharCode(needle[index]!));
    // A byte on no list is rare, unless it begins or continues letters of a script.
    const rarity = rank < 0 ? byFrequency.indexOf('m') : rank;
    if (rarity > rarest) [at, rarest] = [index, rarity];
  }
  return needle.subarray(at, at + pieceBytes);
}

const viewStep = 512;
const keptViews = 128;

/**
 * Views of the start of one buffer, reused and up to a step longer than asked for: a new one for
 * each file would take a tenth of the search. The rest of an earlier file may pass a file
 * needlessly.
 */
function createViews(): (buffer: Buffer, length: number) => Buffer {
  let of: Buffer | undefined;
  let views: Buffer[] = [];
  return (buffer, length) => {
    const steps = Math.ceil(length / viewStep);
    if (steps >= keptViews) return buffer.subarray(0, length);
    if (of !== buffer) [of, views] = [buffer, []];
    views[steps] ??= buffer.subarray(0, steps * viewStep);
    return views[steps];
  };
}

export type LineMatch = {
  /** 1-based */
  line: number;
  /** 1-based, in UTF-16 units, of the first match in the line */
  column: number;
  text: string;
  before: string[];
  after: string[];
};

/**
 * Finds the lines that match, in order, one result a line.
 *
 * @param context how many lines before and after a match go with it
 * @param found called for each; false ends the search
 */
export function matchLines(
  text: string,
  pattern: LinePattern,
  context: { before: number; after: number },
  found: (match: LineMatch) => boolean,
): void {
  const { finder, line } = pattern;
  const last = text.endsWith('\n') ? text.length - 1 : text.length;
  let counted = 0;
  let number = 1;
  for (let from = 0; from <= last && text !== ''; ) {
    finder.lastIndex = from;
    const at = finder.exec(text)?.index;
    if (at === undefined || at > last) return;
    const start = lineStart(text, at);
    const end = lineEnd(text, at);
    const offset = line === undefined ? at - start : lineText(text, start, end).search(line);
    from = end + 1;
    if (offset < 0) continue;
    for (; counted < start; number += 1) counted = lineEnd(text, counted) + 1;
    const match = {
      line: number,
      column: offset + 1,
      text: shownLine(text, start, end),
      before: linesBefore(text, start, context.before),
      after: linesAfter(text, end, context.after),
    };
    if (!found(match)) return;
  }
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** Without the `\r` of `\r\n`; any other one is text, as in `splitLines`. */
function lineText(text: string, start: number, end: number): string {
  return text.slice(start, text.startsWith('\r\n', end - 1) && end > start ? end - 1 : end);
}

/** A copy, cut: a slice would keep the whole text of the file alive. */
function shownLine(text: string, start: number, end: number): string {
  const cut = Math.min(end, start + fsLimits.lineCharacters + 1);
  const line = lineText(text, start, cut);
  return Buffer.from(cutText(line, fsLimits.lineCharacters)).toString();
}

/** At most `units` UTF-16 units, no surrogate pair cut in two. */
export function cutText(text: string, units: number): string {
  if (text.length <= units) return text;
  const lastUnit = text.charCodeAt(units - 1);
  const splitsPair = lastUnit >= 0xd800 && lastUnit < 0xdc00;
  return text.slice(0, splitsPair ? units - 1 : units);
}

function linesBefore(text: string, start: number, count: number): string[] {
  const lines: string[] = [];
  for (let end = start - 1; end >= 0 && lines.length < count; ) {
    const from = lineStart(text, end);
    lines.push(shownLine(text, from, end));
    end = from - 1;
  }
  return lines.reverse();
}

function linesAfter(text: string, end: number, count: number): string[] {
  const lines: string[] = [];
  for (let from = end + 1; from < text.length && lines.length < count; ) {
    const to = lineEnd(text, from);
    lines.push(shownLine(text, from, to));
    from = to + 1;
  }
  return lines;
}
