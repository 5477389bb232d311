import type { fs, HostError } from '@cuervo/sdk';
import { notSearched } from '../left-out.ts';
import { broughtUp } from './brought-up.ts';
import { chooseFiles } from './choose-files.ts';
import { nameAround } from './cut-passages.ts';
import {
  headingShare,
  logLines,
  messageLines,
  messageShare,
  nearShare,
  orderBySigns,
  scoresOfTests,
  testedName,
} from './file-signs.ts';
import { findMentioned, type Mentioned } from './find-mentioned.ts';
import { logicShare } from './line-kinds.ts';
import type { Question } from './parse-question.ts';
import type { PassageFs } from './passage-fs.ts';
import { isBeside, isProse, kindsAskedFor, pathFactor } from './path-factor.ts';
import { createPathScorer } from './path-score.ts';
import { byScore, fileScore, type RankedFile } from './ranked-file.ts';
import { type FileText, hitsBetween, lineText, readHits, sumCounts } from './read-hits.ts';
import {
  bm25,
  createSummer,
  type TermCounts,
  type TermWeights,
  tallyWords,
  weighTerms,
} from './term-weights.ts';
import { tuning } from './tuning.ts';
import { neverCounted, ownRoot } from './walked-files.ts';

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

/** Sections of documents are ranked, however long the whole is. */
export type SearchKind = 'all' | 'documents';

/** Windows of a file that are looked at closely. */
const windowsKept = 6;

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
  kind: SearchKind = 'all',
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
  const worth = new Map(ranked.map(({ path }) => [path, pathFactor(path, kinds)]));
  const best = chooseFiles(ranked, pathScore, worth);
  const tests = scoresOfTests(ranked);
  const { report, messages } = question;
  const mentioned =
    report === undefined
      ? new Map<string, Mentioned>()
      : findMentioned(files, root, report, neverCounted);
  const more = broughtUp(files, root, { ranked, best, kinds, messages, mentioned });
  best.splice(tuning.filesRead - more.length, more.length, ...more);
  const notText: string[] = [];
  for (const file of best) {
    const factor = pathFactor(file.path, kinds);
    const text = readText(files, file.path, notText);
    if (text === undefined) continue;
    file.text = readHits(text, question.terms, isProse(file.path));
    const defined = mentioned.get(file.path);
    const first = (defined?.names ?? 0) > 0 ? [(defined?.line ?? 1) - 1] : [];
    const said = messageLines(file.text, messages);
    file.sure = [...said, ...first];
    const lines = file.text.starts.length;
    // A message stands where it is raised, in any version of the file.
    const frame =
      said.length > 0 ? undefined : frameIn(file.text, defined?.frame, report?.called ?? [], asked);
    if (frame !== undefined) file.frame = frame;
    // Drop windows beyond the part of the file that was read.
    file.windows = file.windows.filter(({ line }) => line <= lines);
    const score = textScore(file, file.text, question, weights) + pathScore(file.path);
    file.score = score * factor * (file.text.generated ? tuning.generated : 1);
  }
  order(best, { question, weights, tests, kinds, mentioned, kind });
  const kept = best.sort(byScore).slice(0, tuning.filesKept);
  return { files: kept, weights, total: ranked.length, notText, cut };
}

type Known = {
  question: Question;
  weights: TermWeights;
  /** by what they test */
  tests: ReadonlyMap<string, number>;
  kinds: ReturnType<typeof kindsAskedFor>;
  mentioned: ReadonlyMap<string, Mentioned>;
  kind: SearchKind;
};

/** Lines on both sides of a frame among which what the trace quotes is looked for. */
const shiftedLines = 200;
const shortestQuote = 8;

/**
 * The line of a frame, from 0. The file may be of another version: then the nearest one that the
 * trace quotes, or none where the line stands in what the trace does not call.
 */
function frameIn(
  text: FileText,
  frame: number | undefined,
  called: readonly string[],
  asked: string,
): number | undefined {
  if (frame === undefined || frame < 1 || frame > text.starts.length) return undefined;
  for (let away = 0; away < shiftedLines; away += 1) {
    for (const line of [frame - 1 - away, frame - 1 + away]) {
      const quote = line < 0 ? '' : lineText(text, line).trim();
      if (quote.length >= shortestQuote && asked.includes(quote)) return line;
    }
  }
  const within = nameAround(text, frame - 1, false);
  const isInside = /^\s/.test(lineText(text, frame - 1));
  const isOther = within === undefined ? isInside : !called.includes(within);
  return isOther && called.length > 0 ? undefined : frame - 1;
}

/** Lines of a file that could not be read. */
const unknownLines = 100;

/** Scores of what was read anew, by all signs; the best keeps the scale that words gave. */
function order(files: RankedFile[], known: Known): void {
  const { question, weights, tests, kinds, mentioned, kind } = known;
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
      place: mentioned.get(path)?.place ?? 0,
      names: mentioned.get(path)?.names ?? 0,
    };
    const sum = orderBySigns(file.signs, question.told);
    if (kind === 'all' || text === undefined) return sum;
    const headed = tuning.heading * headingShare(text, weights);
    const beside = isBeside(path) ? tuning.beside : 0;
    return sum - tuning.order.lines * file.signs.lines + headed - beside;
  });
  const most = Math.max(...sums);
  for (const [at, file] of files.entries()) {
    file.score = mostWords * Math.exp(((sums[at] as number) - most) / tuning.order.words);
  }
}

function groupByFile(
  tally: fs.TallyResult,
  sum: (counts: ArrayLike<number>) => TermCounts,
  weights: TermWeights,
): RankedFile[] {
  const byPath = new Map<string, RankedFile>();
  const mean = Math.max(1, tally.meanLength);
  for (const [order, { path: counted, line, length, counts }] of tally.windows.entries()) {
    const window = {
      line,
      length: length / mean,
      score: bm25(sum(counts), length / mean, weights),
      order,
    };
    const file = byPath.get(counted);
    const path = counted.replace(ownRoot, '');
    if (file === undefined) byPath.set(counted, { path, score: 0, windows: [window] });
    else file.windows.push(window);
  }
  return [...byPath.values()];
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
