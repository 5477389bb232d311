import { definedName } from './find-definitions.ts';
import { findHits, lineStarts } from './find-hits.ts';
import { headingOf, isComment, isGenerated, isImport, isLink } from './line-kinds.ts';
import type { Term } from './parse-question.ts';
import type { TermCounts } from './term-weights.ts';
import { tuning } from './tuning.ts';

/** A line with words of the question. */
export type HitLine = {
  /** from 0 */
  line: number;
  /** weighed: less in an import, more in a defined name */
  counts: TermCounts;
  /** which of them are not 0, as `findHits` gives them */
  columns: readonly number[];
  /** whether any word stands there itself, not only an alias */
  direct: boolean;
  defines: boolean;
};

/** A file's text with where the question's words stand in it. */
export type FileText = {
  text: string;
  starts: readonly number[];
  /** in order of their lines */
  hits: readonly HitLine[];
  generated: boolean;
};

/** @param isProse for a text without comments */
export function readHits(text: string, terms: readonly Term[], isProse: boolean): FileText {
  const starts = lineStarts(text);
  const file = { text, starts, hits: [], generated: isGenerated(text) };
  const hits: HitLine[] = [];
  const searched = isProse ? withoutComments(text) : text;
  const tests = ownTests.exec(text)?.index ?? text.length;
  for (const [line, found] of findHits(searched, starts, terms)) {
    const { columns } = found;
    const direct = found.full.some((count) => count > 0);
    const shown = lineText(file, line);
    if (isProse ? isLink(shown) : isImport(shown)) {
      const counts = scaled(found, tuning.imported);
      hits.push({ line, counts, columns, direct, defines: false });
      continue;
    }
    const name = isProse ? headingOf(shown, lineText(file, line + 1)) : definedName(shown);
    const named = name === undefined ? undefined : findHits(name, [0], terms).get(0);
    const told = !isProse && isComment(shown) ? scaled(found, 1 + tuning.comment) : found;
    const full = named === undefined ? told : added(told, scaled(named, tuning.definition));
    const counts = (starts[line] ?? 0) < tests ? full : scaled(full, tuning.inTests);
    hits.push({ line, counts, columns, direct, defines: named !== undefined });
  }
  return { ...file, hits: hits.sort((left, right) => left.line - right.line) };
}

/** From here on a file of Rust tests what stands above. */
const ownTests = /^#\[cfg\(test\)\]\s*\n\s*(?:pub )?mod\b/m;

/** Comments of Markdown and HTML, which nobody reads, as blanks. */
function withoutComments(text: string): string {
  return text.replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ' '));
}

/** A line without its end. */
export function lineText(
  { text, starts }: Pick<FileText, 'text' | 'starts'>,
  line: number,
): string {
  const start = starts[line] ?? text.length;
  const end = (starts[line + 1] ?? text.length + 1) - 1;
  return text.slice(start, end).replace(/\r$/, '');
}

/** The hits from line `first` up to, not including, line `end`. */
export function hitsBetween(file: FileText, first: number, end: number): readonly HitLine[] {
  return file.hits.slice(firstHitAt(file.hits, first), firstHitAt(file.hits, end));
}

/** Position of the first hit at or behind a line. */
function firstHitAt(hits: readonly HitLine[], line: number): number {
  let low = 0;
  let high = hits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((hits[middle] as HitLine).line < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function sumCounts(hits: readonly HitLine[]): TermCounts {
  const sum: TermCounts = { full: [], alias: [] };
  for (const { counts } of hits) {
    addInto(sum.full, counts.full);
    addInto(sum.alias, counts.alias);
  }
  return sum;
}

function addInto(sum: number[], more: readonly number[]): void {
  for (let at = 0; at < more.length; at += 1) sum[at] = (sum[at] ?? 0) + (more[at] as number);
}

function scaled({ full, alias }: TermCounts, by: number): TermCounts {
  return { full: full.map((count) => count * by), alias: alias.map((count) => count * by) };
}

function added(left: TermCounts, right: TermCounts): TermCounts {
  return {
    full: left.full.map((count, term) => count + (right.full[term] ?? 0)),
    alias: left.alias.map((count, term) => count + (right.alias[term] ?? 0)),
  };
}
