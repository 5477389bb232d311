import type { fs, HostError } from '@cuervo/sdk';
import { escapePattern } from '../escape-pattern.ts';
import { notSearched } from '../left-out.ts';
import {
  type FileSigns,
  logLines,
  messageShare,
  nearShare,
  orderBySigns,
  scoresOfTests,
  testedName,
} from './file-signs.ts';
import { logicShare } from './line-kinds.ts';
import type { Question } from './parse-question.ts';
import type { PassageFs } from './passage-fs.ts';
import { isProse, kindsAskedFor, pathFactor } from './path-factor.ts';
import { createPathScorer } from './path-score.ts';
import { type FileText, hitsBetween, readHits, sumCounts } from './read-hits.ts';
import {
  bm25,
  createSummer,
  type TermCounts,
  type TermWeights,
  tallyWords,
  weighTerms,
} from './term-weights.ts';
import { tuning } from './tuning.ts';

/** A window of lines; `length` is its words over the mean's. */
export type RankedWindow = { line: number; length: number; score: number };

export type RankedFile = {
  /** relative to the workspace */
  path: string;
  score: number;
  /** best first */
  windows: RankedWindow[];
  /** absent where the file could not be read */
  text?: FileText;
  /** of those that were read, or could not be */
  signs?: FileSigns;
};

export type Ranking = {
  /** best first; those that were read */
  files: RankedFile[];
  weights: TermWeights;
  /** files that hold any of the words */
  total: number;
  /** the best of these files that were not searched: what they hold is not UTF-8 */
  notText: string[];
  /** what was not counted, in words */
  cut: string | undefined;
};

/** It stays before a name with a colon, which would be taken for another root without it. */
const ownRoot = /^work:(?![^/]*:)/;

/** Windows of a file that are looked at closely. */
const windowsKept = 6;

/** Text that nobody wrote by hand, below any root; it need not be counted. */
const neverCounted = [
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

/**
 * Ranks the files of a tree for a question: BM25 over windows of lines, a file counts as
 * its best window and a part of the next ones; its path and its kind move it. The best
 * files are then read for what the counts cannot tell: what is defined, what is imported,
 * which words stand together, where something is decided rather than declared. Last they are
 * ordered by a few signs together, of which the words are only the weightiest.
 *
 * @param asked the question as it was asked
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
    walk: { exclude: [...neverCounted] },
  });
  const cut = notSearched(files, (path) => path.replace(ownRoot, ''));
  const weights = weighTerms(question.terms, words, tally);
  const ranked = groupByFile(tally, createSummer(question.terms, words), weights);
  const kinds = kindsAskedFor(asked);
  const paths = ranked.map((file) => file.path);
  const pathScore = createPathScorer(paths, question.terms, weights);
  for (const file of ranked) {
    file.score = (fileScore(file.windows, 4) + pathScore(file.path)) * pathFactor(file.path, kinds);
  }
  const tests = scoresOfTests(ranked);
  const best = ranked.sort(byScore).slice(0, tuning.filesRead);
  const holders = holdersOf(files, root, question.messages, { ranked, best, kinds });
  best.splice(tuning.filesRead - holders.length, holders.length, ...holders);
  const notText: string[] = [];
  for (const file of best) {
    const factor = pathFactor(file.path, kinds);
    const text = readText(files, file.path, notText);
    if (text === undefined) continue;
    file.text = readHits(text, question.terms, isProse(file.path));
    const lines = file.text.starts.length;
    // A message may stand behind what is read of a file.
    file.windows = file.windows.filter(({ line }) => line <= lines);
    const score = textScore(file, file.text, question, weights) + pathScore(file.path);
    file.score = score * factor * (file.text.generated ? tuning.generated : 1);
  }
  order(best, { question, weights, tests, kinds });
  const kept = best.sort(byScore).slice(0, tuning.filesKept);
  return { files: kept, weights, total: ranked.length, notText, cut };
}

/** Lines with a message that are looked at: a log may have thousands of them before any source. */
const maxMatches = 10_000;
/** Files that a message brings up in place of the last that words do. */
const maxHolders = 8;
/** Lines in front of a match that are scored with it. */
const linesBefore = 8;
/** Who repeats messages and says none. */
const neverSaying = ['*.log', '*.csv', '*.tsv', '*.jsonl', '*.ndjson'] as const;

/** Files that hold a message and that words alone do not bring up: sources first. */
function holdersOf(
  files: PassageFs,
  root: string,
  messages: readonly string[],
  known: { ranked: RankedFile[]; best: RankedFile[]; kinds: ReturnType<typeof kindsAskedFor> },
): RankedFile[] {
  const read = new Set(known.best.map(({ path }) => path));
  const found = new Map<string, RankedFile>();
  const ranked = new Map(known.ranked.map((file) => [file.path, file]));
  for (const { path: full, line } of linesWith(files, root, messages)) {
    const path = full.replace(ownRoot, '');
    if (read.has(path) || found.has(path)) continue;
    const window = { line: Math.max(1, line - linesBefore), length: 1, score: 0 };
    const counted = ranked.get(path);
    const windows = [window, ...(counted?.windows ?? [])];
    found.set(path, { path, score: counted?.score ?? 0, windows });
  }
  const worth = ({ path }: RankedFile) => pathFactor(path, known.kinds);
  return [...found.values()]
    .sort((left, right) => worth(right) - worth(left) || byScore(left, right))
    .slice(0, maxHolders);
}

/** None where the tree cannot be searched for them: the words still find something. */
function linesWith(
  files: PassageFs,
  root: string,
  messages: readonly string[],
): readonly { path: string; line: number }[] {
  if (messages.length === 0) return [];
  try {
    return files.scan(root, {
      // Small and large letters as they stand: only so are files looked through as bytes.
      pattern: messages.map(escapePattern).join('|'),
      limit: maxMatches,
      walk: { exclude: [...neverCounted, ...neverSaying] },
    }).matches;
  } catch {
    return [];
  }
}

type Known = {
  question: Question;
  weights: TermWeights;
  /** by what they test */
  tests: ReadonlyMap<string, number>;
  kinds: ReturnType<typeof kindsAskedFor>;
};

/** Lines of a file that could not be read. */
const unknownLines = 100;

/** Scores of what was read anew, by all signs; the best keeps the scale that words gave. */
function order(files: RankedFile[], { question, weights, tests, kinds }: Known): void {
  const mostWords = Math.max(...files.map(({ score }) => score), Number.MIN_VALUE);
  const testOf = ({ path }: RankedFile) => tests.get(testedName(path)) ?? 0;
  const mostTested = Math.max(...files.map(testOf), Number.MIN_VALUE);
  const sums = files.map((file) => {
    const { path, text, score } = file;
    const worth = pathFactor(path, kinds) * (text?.generated === true ? tuning.generated : 1);
    file.signs = {
      words: score / mostWords,
      kind: Math.log(worth),
      lines: logLines(text?.starts.length ?? unknownLines),
      near: text === undefined ? 0 : nearShare(text, question, weights),
      twin: testOf(file) / mostTested,
      message: messageShare(text, question.messages),
    };
    return orderBySigns(file.signs);
  });
  const most = Math.max(...sums);
  for (const [at, file] of files.entries()) {
    file.score = mostWords * Math.exp(((sums[at] as number) - most) / tuning.order.words);
  }
}

function byScore(left: { score: number }, right: { score: number }): number {
  return right.score - left.score;
}

function groupByFile(
  tally: fs.TallyResult,
  sum: (counts: ArrayLike<number>) => TermCounts,
  weights: TermWeights,
): RankedFile[] {
  const byPath = new Map<string, RankedFile>();
  const mean = Math.max(1, tally.meanLength);
  for (const { path: counted, line, length, counts } of tally.windows) {
    const window = {
      line,
      length: length / mean,
      score: bm25(sum(counts), length / mean, weights),
    };
    const file = byPath.get(counted);
    const path = counted.replace(ownRoot, '');
    if (file === undefined) byPath.set(counted, { path, score: 0, windows: [window] });
    else file.windows.push(window);
  }
  return [...byPath.values()];
}

/** @param possible windows that a file of its length has */
function fileScore(windows: RankedWindow[], possible: number): number {
  windows.sort(byScore);
  const best = windows[0]?.score ?? 0;
  let next = 0;
  for (let rank = 1; rank <= 3; rank += 1) {
    next += windows[rank]?.score ?? (rank < possible ? 0 : tuning.absentWindow * best);
  }
  return best + tuning.nextWindows * next;
}

/**
 * A file that went away, or turned out to be neither UTF-8 nor UTF-16, keeps its first score.
 *
 * @param notText takes the paths of the latter
 */
function readText(files: PassageFs, path: string, notText: string[]): string | undefined {
  try {
    const { text, encoding } = files.readAnyText(path, tuning.fileBytes);
    if (encoding !== 'unknown') return text;
    notText.push(path);
  } catch (thrown) {
    if ((thrown as Partial<HostError>).code === 'invalid') notText.push(path);
  }
  return undefined;
}

function textScore(
  file: RankedFile,
  text: FileText,
  question: Question,
  weights: TermWeights,
): number {
  for (const window of file.windows) {
    const hits = hitsBetween(text, window.line - 1, window.line - 1 + tuning.windowLines);
    const words = bm25(sumCounts(hits), window.length, weights);
    window.score = words + tuning.pair * pairsIn(hits, question, weights);
  }
  file.windows = file.windows.sort(byScore).slice(0, windowsKept);
  for (const window of file.windows) {
    const start = text.starts[window.line - 1];
    const end = text.starts[window.line - 1 + tuning.windowLines] ?? text.text.length;
    const plain = 1 - Math.min(1, logicShare(text.text.slice(start, end)) / tuning.logicShare);
    window.score *= 1 - tuning.plainWindow * plain;
  }
  const step = tuning.windowLines - tuning.windowOverlap;
  const length = text.starts.length / (tuning.windowLines * tuning.wholeFileWindows);
  const whole = tuning.wholeFile * bm25(sumCounts(text.hits), length, weights);
  const exact = tuning.exact * exactShare(text.text, question.exact) * Math.max(1, ...weights.idf);
  return fileScore(file.windows, Math.ceil(text.starts.length / step)) + whole + exact;
}

/** For each pair of neighbours in the question that some line holds, the idf of the commoner. */
function pairsIn(hits: FileText['hits'], question: Question, weights: TermWeights): number {
  let sum = 0;
  for (const [left, right] of question.pairs) {
    const together = hits.some(
      ({ counts }) => counted(counts, left, weights) && counted(counts, right, weights),
    );
    if (together) sum += Math.min(weights.idf[left] ?? 0, weights.idf[right] ?? 0);
  }
  return sum;
}

function counted({ full, alias }: TermCounts, term: number, { aliasTerm }: TermWeights): boolean {
  if ((full[term] ?? 0) > 0) return true;
  return alias.some((count, column) => count > 0 && aliasTerm[column] === term);
}

/** How many of the exact texts stand in the file; one that stands there once counts ¾. */
function exactShare(text: string, exact: readonly string[]): number {
  let share = 0;
  for (const wanted of exact) {
    const first = text.indexOf(wanted);
    if (first >= 0) share += text.indexOf(wanted, first + wanted.length) >= 0 ? 1 : 0.75;
  }
  return share;
}
