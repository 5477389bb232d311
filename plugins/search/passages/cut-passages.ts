import { headingShareOf } from './file-signs.ts';
import { definedName } from './find-definitions.ts';
import { headingOf, isComment, logicShare } from './line-kinds.ts';
import { isProse } from './path-factor.ts';
import type { RankedFile } from './ranked-file.ts';
import { type FileText, hitsBetween, lineText, sumCounts } from './read-hits.ts';
import { bm25, type TermWeights } from './term-weights.ts';
import { tuning } from './tuning.ts';

export type Passage = {
  /** relative to the workspace */
  path: string;
  /** 1-based, inclusive */
  line: number;
  endLine: number;
  text: string;
  score: number;
  /** lines that hold words of the question */
  hits: number[];
  /** what it stands in and begins behind the head of: a definition by its name, or a section */
  within?: string;
};

/** Lines of a passage, and of the stretch in which the hits are counted together. */
const maxLines = 14;
const stretchLines = 6;
/** Characters of a line that are shown. */
const maxLineCharacters = 300;

/**
 * The lines of a file that answer best: stretches with the most of the question's words,
 * begun at the definition or the comment they belong to.
 *
 * @param atMost passages of this file
 */
export function cutPassages(file: RankedFile, weights: TermWeights, atMost: number): Passage[] {
  const text = file.text;
  if (text === undefined) return [];
  const scored = scoreStretches(file, text, weights);
  // A trace says itself which line is meant.
  const named =
    file.frame === undefined ? [] : [{ first: file.frame, score: scored[0]?.score ?? 1 }];
  const stretches = [...named, ...scored];
  const best = stretches[0]?.score ?? 1;
  const passages: Passage[] = [];
  for (const { first, score } of stretches) {
    if (passages.length >= atMost) break;
    if (score < best / 2) break;
    const [from, to] = fitLines(text, first, isProse(file.path));
    const clashes = passages.some((other) => from < other.endLine + 2 && to + 1 > other.line - 2);
    if (clashes) continue;
    const within = nameAround(text, from, isProse(file.path));
    const passage = toPassage(file.path, text, from, to, (file.score * score) / best);
    passages.push(within === undefined ? passage : { ...passage, within });
  }
  return passages;
}

/**
 * What a stretch counts that begins where a message stands, what a long text names is defined, or a
 * heading says all of the question and no more.
 */
const sureWorth = 3;

/** Stretches by words that are looked at once more, for what they decide. */
const contenders = 12;

/** Stretches that begin at a hit, best first. */
function scoreStretches(
  file: RankedFile,
  text: FileText,
  weights: TermWeights,
): { first: number; score: number }[] {
  const found: { first: number; score: number }[] = [];
  const isDocument = isProse(file.path);
  for (const hit of text.hits) {
    const first = hit.line;
    const isSure = file.sure?.includes(first) === true;
    const within = file.windows.some(
      ({ line }) => first >= line - 1 && first < line - 1 + tuning.windowLines,
    );
    if (!within && !isSure) continue;
    const hits = hitsBetween(text, first, first + stretchLines);
    // A section whose heading speaks of it is read from there.
    const headed = isDocument && hit.defines ? headingShareOf(text, hit, weights) : 0;
    const worth = isSure || headed === 1 ? sureWorth : 1 + headed;
    const score = bm25(sumCounts(hits), 1, weights) * worth;
    found.push({ first, score });
  }
  found.sort(byScoreAndLine);
  // A line with a version may have no word.
  const lines = new Set(text.hits.map(({ line }) => line));
  const wordless = (file.sure ?? []).filter((line) => !lines.has(line));
  found.unshift(...wordless.map((first) => ({ first, score: found[0]?.score ?? 1 })));
  if (isDocument) return found;
  for (const each of found.slice(0, contenders)) {
    const end = text.starts[each.first + decidingLines] ?? text.text.length;
    const share = logicShare(text.text.slice(text.starts[each.first], end)) / tuning.logicShare;
    each.score *= 1 + tuning.decides * Math.min(1, share);
  }
  return found.sort(byScoreAndLine);
}

/** Lines of a stretch in which something may be decided. */
const decidingLines = 10;

function byScoreAndLine(
  left: { first: number; score: number },
  right: { first: number; score: number },
): number {
  return right.score - left.score || left.first - right.first;
}

/** From the comment or definition above a first hit to the end of its block or section, in `maxLines`. */
function fitLines(text: FileText, first: number, isDocument: boolean): [number, number] {
  if (isDocument && headingLevel(text, first) > 0) return [first, sectionEnd(text, first)];
  let from = first;
  for (let line = first; line >= Math.max(0, first - 4); line -= 1) {
    const current = lineText(text, line);
    if (current.trim() === '' && line !== first) break;
    if (definedName(current) !== undefined || isComment(current)) from = line;
    if (definedName(current) !== undefined && line !== first) break;
  }
  while (from > 0 && first - from < 5 && isComment(lineText(text, from - 1))) from -= 1;
  const hitLines = new Set(text.hits.map((hit) => hit.line));
  let lastHit = first;
  for (let line = first; line < from + maxLines; line += 1) if (hitLines.has(line)) lastHit = line;
  let to = lastHit;
  while (to + 1 < text.starts.length && to + 1 < from + maxLines && to - lastHit < 3) {
    if (lineText(text, to + 1).trim() === '') break;
    to += 1;
  }
  return [from, to];
}

/** 1 for `#`, and for a line with `=` below it; 0 for what is no heading. */
function headingLevel(text: FileText, line: number): number {
  const [own, next] = [lineText(text, line), lineText(text, line + 1)];
  if (headingOf(own, next) === undefined) return 0;
  return /^[#=]+(?=\s)/.exec(own)?.[0].length ?? (next.startsWith('=') ? 1 : 2);
}

/** Up to the next heading that stands as high, in `maxLines`. */
function sectionEnd(text: FileText, first: number): number {
  const level = headingLevel(text, first);
  let end = first;
  const last = Math.min(text.starts.length, first + maxLines);
  for (let line = first + 1; line < last; line += 1) {
    const next = headingLevel(text, line);
    if (next > 0 && next <= level) break;
    if (lineText(text, line).trim() !== '') end = line;
  }
  return end;
}

/** Lines above that are looked at for the head of a definition. */
const farAbove = 200;
/** Lines at the margin inside a definition: preprocessor, labels, brackets. */
const atMargin = /^\s*(?:#\s*(?:if|el|end|def|undef|pragma)|\w+:\s*$|\{\s*$|[)\]}])/;

/** In C the type of a function may have a line of its own. */
const typeLine = /^[A-Za-z_][\w *]*$/;
/** A value that is given begins no part of the code, unless it is a function or a class. */
const givesValue = /^(?!.*(?:=>|\b(?:function|class|def|fn|func)\b)).*[^=!<>]=(?!=)/;

/** The definition around a line, by indentation, or the section of a document. */
export function nameAround(text: FileText, line: number, isDocument: boolean): string | undefined {
  const at = (each: number): string => lineText(text, each);
  if (isDocument && headingOf(at(line), at(line + 1)) !== undefined) return undefined;
  let indent = indentOf(at(line));
  for (let above = line - 1; above >= Math.max(0, line - farAbove); above -= 1) {
    const current = at(above);
    if (isDocument) {
      const heading = headingOf(current, at(above + 1));
      if (heading !== undefined) return heading.trim();
    } else if (indent === 0) return undefined;
    else if (current.trim() !== '' && indentOf(current) < indent && !atMargin.test(current)) {
      const before = at(above - 1);
      const name = definedName(typeLine.test(before) ? `${before} ${current}` : current);
      if (name !== undefined && !givesValue.test(current)) return name;
      indent = indentOf(current);
    }
  }
  return undefined;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function toPassage(path: string, text: FileText, from: number, to: number, score: number): Passage {
  const lines: string[] = [];
  const hits = hitsBetween(text, from, to + 1)
    .filter((hit) => hit.direct)
    .map((hit) => hit.line + 1);
  for (let line = from; line <= to; line += 1) {
    const full = lineText(text, line);
    lines.push(
      full.length > maxLineCharacters
        ? `${full.slice(0, maxLineCharacters).toWellFormed()}…`
        : full,
    );
  }
  return {
    path,
    line: from + 1,
    endLine: to + 1,
    text: lines.join('\n'),
    score: round(score),
    hits,
  };
}

function round(score: number): number {
  return Math.round(score * 1000) / 1000;
}
