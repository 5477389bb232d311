import { fsLimits } from '../paths/fs-limits.ts';
import type { LinePattern } from './compile-pattern.ts';

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
