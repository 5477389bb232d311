import type { fs } from '@cuervo/sdk';
import { definedName } from './find-definitions.ts';
import { findHits, type LineHits, lineStarts } from './find-hits.ts';
import type { Question } from './parse-question.ts';
import type { PassageFs } from './passage-fs.ts';
import { kindsAskedFor, type PathKind, pathFactor } from './path-factor.ts';
import { pathScore } from './path-score.ts';
import {
  bm25,
  createSummer,
  type TermCounts,
  type TermWeights,
  tallyWords,
  weighTerms,
} from './term-weights.ts';
import { tuning } from './tuning.ts';

export type RankedWindow = { line: number; length: number; counts: TermCounts; score: number };

export type RankedFile = {
  /** relative to the workspace */
  path: string;
  score: number;
  /** best first */
  windows: RankedWindow[];
  /** absent where the file was not read */
  text?: FileText;
};

export type FileText = { text: string; starts: readonly number[]; hits: LineHits };

export type Ranking = {
  files: RankedFile[];
  weights: TermWeights;
  /** files that hold any of the words */
  total: number;
};

/**
 * Ranks the files of a tree for a question: BM25 over windows of lines, a file counts as
 * its best window and a part of the next ones; names it defines, its path and its kind
 * move it; the best files are read for what the counts cannot tell.
 */
export function rankFiles(
  files: PassageFs,
  root: string,
  question: Question,
  asked: string,
): Ranking {
  const words = tallyWords(question.terms);
  const tally = files.tally(root, {
    words,
    window: tuning.windowLines,
    overlap: tuning.windowOverlap,
    limit: tuning.windows,
    walk: { exclude: [...neverRead] },
  });
  const weights = weighTerms(question.terms, words, tally);
  const kinds = kindsAskedFor(asked);
  const ranked = groupByFile(tally, createSummer(question.terms, words), weights);
  for (const file of ranked) file.score = scoreFile(file, question, weights, kinds, 0);
  ranked.sort((left, right) => right.score - left.score);
  const best = ranked.slice(0, tuning.filesRead);
  for (const file of best) refine(files, file, question, weights, kinds, tally.meanLength);
  best.sort((left, right) => right.score - left.score);
  return { files: best, weights, total: ranked.length };
}

/** Text that nobody wrote by hand, below any root; `fs.tally` need not count it. */
const neverRead = [
  'node_modules/',
  'bower_components/',
  '__pycache__/',
  '*.min.js',
  '*.min.css',
  '*.map',
  '*.lock',
  '*.svg',
  '*.snap',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'go.sum',
] as const; // prettier-ignore

function groupByFile(
  tally: fs.TallyResult,
  sum: (counts: ArrayLike<number>) => TermCounts,
  weights: TermWeights,
): RankedFile[] {
  const byPath = new Map<string, RankedFile>();
  const mean = Math.max(1, tally.meanLength);
  for (const window of tally.windows) {
    const counts = sum(window.counts);
    const score = bm25(counts, window.length / mean, weights);
    const ranked = { line: window.line, length: window.length, counts, score };
    const file = byPath.get(window.path);
    if (file === undefined) {
      const path = window.path.replace(/^work:/, '');
      byPath.set(window.path, { path, score: 0, windows: [ranked] });
    } else file.windows.push(ranked);
  }
  return [...byPath.values()];
}

function scoreFile(
  file: RankedFile,
  question: Question,
  weights: TermWeights,
  kinds: ReadonlySet<PathKind>,
  extra: number,
): number {
  file.windows.sort((left, right) => right.score - left.score);
  const [best, ...next] = file.windows.map((window) => window.score);
  const more = next.slice(0, 3).reduce((sum, score) => sum + score, 0);
  const text = (best ?? 0) + tuning.nextWindows * more;
  return (
    (text + pathScore(file.path, question.terms, weights) + extra) * pathFactor(file.path, kinds)
  );
}

function refine(
  files: PassageFs,
  file: RankedFile,
  question: Question,
  weights: TermWeights,
  kinds: ReadonlySet<PathKind>,
  meanLength: number,
): void {
  const text = readText(files, file.path);
  if (text === undefined) return;
  const starts = lineStarts(text);
  const hits = findHits(text, starts, question.terms);
  file.text = { text, starts, hits };
  const defined = definitionsIn(file.text, question);
  for (const window of file.windows) {
    const counts = withDefinitions(window, defined);
    window.score = bm25(counts, window.length / Math.max(1, meanLength), weights);
  }
  const extra = tuning.exact * exactShare(text, question.exact) * Math.max(1, ...weights.idf);
  file.score = scoreFile(file, question, weights, kinds, extra);
}

/** A file that went away, or turned out to be no text, keeps its first score. */
function readText(files: PassageFs, path: string): string | undefined {
  try {
    return files.readText(path, tuning.fileBytes).text;
  } catch {
    return undefined;
  }
}

type DefinedHits = { line: number; counts: TermCounts };

/** The question's words in the names that lines define. */
function definitionsIn(file: FileText, question: Question): DefinedHits[] {
  const found: DefinedHits[] = [];
  for (const line of file.hits.keys()) {
    const end = file.starts[line + 1] ?? file.text.length + 1;
    const name = definedName(
      file.text.slice(file.starts[line], Math.min(end - 1, (file.starts[line] ?? 0) + 400)),
    );
    if (name === undefined) continue;
    const counts = findHits(name, [0], question.terms).get(0);
    if (counts !== undefined) found.push({ line, counts });
  }
  return found;
}

function withDefinitions(window: RankedWindow, defined: readonly DefinedHits[]): TermCounts {
  const first = window.line - 1;
  const inside = defined.filter(({ line }) => line >= first && line < first + tuning.windowLines);
  if (inside.length === 0) return window.counts;
  const add = (counts: readonly number[], kind: 'full' | 'alias') =>
    counts.map((count, term) =>
      inside.reduce((sum, one) => sum + tuning.definition * (one.counts[kind][term] ?? 0), count),
    );
  return { full: add(window.counts.full, 'full'), alias: add(window.counts.alias, 'alias') };
}

/** How many of the exact texts stand in the file, as a sum; a repeated one counts up to 1. */
function exactShare(text: string, exact: readonly string[]): number {
  let share = 0;
  for (const wanted of exact) {
    const first = text.indexOf(wanted);
    if (first >= 0) share += text.indexOf(wanted, first + wanted.length) >= 0 ? 1 : 0.75;
  }
  return share;
}
