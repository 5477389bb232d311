import { mixReranked } from '../ask/mix-reranked.ts';
import {
  choosePassages,
  type RankedFile,
  rankFiles,
  type WideFindings,
} from '../ask/rank-files.ts';
import type { Embedder } from '../contracts/embedder.ts';
import type { NearPiece } from '../contracts/memory.ts';
import type { ToolInvoker, ToolOutput } from '../contracts/tool.ts';
import { reasonOf } from '../lib/reason-of.ts';
import type { IndexFindings, IndexPieces } from './index-pieces.ts';
import { codeLikenesses } from './likeness-to.ts';

const rankedTool = 'search.passages';
/** More than any question has: each is compared with every piece of all blocks. */
const maxWords = 64;

type Ports = {
  /** of code; loaded by the first search; where that fails, the order by words stays and `warn` says so */
  embedder(): Embedder;
  /** absent: the workspace is asked without an index */
  pieces?: IndexPieces;
  warn(message: string): void;
};

/**
 * Tools as they are, but what the search for passages found with its regions is ranked by
 * meaning, and by the index where the workspace has one, before anything else sees it: later steps
 * read around the best of all.
 */
export function rankPassages(invoker: ToolInvoker, ports: Ports): ToolInvoker {
  return {
    tools: () => invoker.tools(),
    async *invoke(call, options) {
      const { question } = call.input;
      const isRanked = call.tool === rankedTool && call.input.regions === true;
      if (isRanked && typeof question === 'string') ports.pieces?.prepare(question, options);
      for await (const event of invoker.invoke(call, options)) {
        yield isRanked && typeof question === 'string' && event.type === 'output'
          ? { ...event, output: await rankOutput(event.output, question, ports, options.signal) }
          : event;
      }
    },
  };
}

async function rankOutput(
  output: ToolOutput,
  question: string,
  ports: Ports,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const found = parseWide(output.content);
  if (found === undefined) return output;
  if (found.notText !== undefined) ports.warn(notSearched(found.notText));
  const index = await askIndex(found, question, ports, signal);
  const content = index === undefined ? found : withOthers(found, index.others);
  const { files, ...rest } = content;
  const words = (content.words ?? []).slice(0, maxWords);
  const onFailure = (reason: string) => ports.warn(`passages are ranked by words alone: ${reason}`);
  const likenesses = codeLikenesses(question, words, ports.embedder, onFailure) ?? {
    asked: () => 0,
    nearest: () => [],
  };
  const ranked = rankFiles(content, likenesses, index?.likeness);
  const again = index === undefined ? ranked : await rerank(ranked, index, ports, signal);
  const passages = choosePassages(content, again);
  const shown = new Set(passages.map(({ path }) => path)).size;
  return {
    ...output,
    content: JSON.stringify({ ...rest, passages }),
    summary: `${passages.length} passages in ${shown} of ${files.length} files ranked by words${index === undefined ? '' : ', index'} and meaning`,
  };
}

/** Files that are named of those that were not searched. */
const namedFiles = 3;

function notSearched(paths: readonly string[]): string {
  const named = paths.slice(0, namedFiles).map((path) => JSON.stringify(path));
  const more = paths.length - named.length;
  const which = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `not searched, because what they hold is no UTF-8, though words of the question stand there: ${which}`;
}

/** An index that cannot be read must not take the answer along. */
async function askIndex(
  { files }: WideFindings,
  question: string,
  { pieces, warn }: Ports,
  signal: AbortSignal,
): Promise<IndexFindings | undefined> {
  try {
    const paths = files.map(({ path }) => path);
    const found = await pieces?.find(question, paths, { signal });
    const behind = found?.behind.length ?? 0;
    if (behind > 0) {
      warn(
        `the index is behind: ${behind} of the files it found ${behind === 1 ? 'has' : 'have'} changed since; bring it up with: cuervo index`,
      );
    }
    return found;
  } catch (thrown) {
    if (!signal.aborted) warn(`the index is not used: ${reasonOf(thrown)}`);
    return undefined;
  }
}

/** Lines of a piece that are shown of it. */
const shownLines = 14;

/** What was found, and files that only the index knows of: none of the question's words count for them. */
function withOthers(found: WideFindings, others: readonly NearPiece[]): WideFindings {
  const files = others.map(({ source, text }) => ({ path: source, score: 0, regions: [{ text }] }));
  const passages = others.map(({ source, text, startLine, endLine }) => {
    const lines = text.split('\n').slice(0, shownLines);
    const line = startLine;
    const last = Math.min(endLine, startLine + lines.length - 1);
    return { path: source, line, endLine: last, text: lines.join('\n'), score: 1, hits: [] };
  });
  return {
    ...found,
    files: [...found.files, ...files],
    passages: [...found.passages, ...passages],
  };
}

/** Of so many files the best piece is looked at once more. */
const reranked = 10;

async function rerank(
  ranked: readonly RankedFile[],
  index: IndexFindings,
  { warn }: Ports,
  signal: AbortSignal,
): Promise<readonly RankedFile[]> {
  const best = ranked.slice(0, reranked).flatMap(({ path }) => {
    const piece = index.best.get(path);
    return piece === undefined ? [] : [{ path, piece }];
  });
  const pieces = best.map(({ piece }) => piece);
  if (pieces.length < 2) return ranked;
  try {
    const again = await index.rerank(pieces);
    if (again === undefined) return ranked;
    const scores = new Map<string, number>();
    for (const [at, { path }] of best.entries()) {
      const score = again.scores[at];
      if (score !== undefined) scores.set(path, score);
    }
    return mixReranked(ranked, scores, again.share);
  } catch (thrown) {
    if (!signal.aborted) warn(`passages are not reranked: ${reasonOf(thrown)}`);
    return ranked;
  }
}

/** What the tool gave, when it is what its regions are asked of; any other answer stays as it is. */
function parseWide(content: string): WideFindings | undefined {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { passages, files, words = [], notText = [] } = value as Record<string, unknown>;
  if (!isListOf(passages, isScored) || !isListOf(files, isScoredFile)) return undefined;
  if (!isListOf(words, isString) || !isListOf(notText, isString)) return undefined;
  return value as WideFindings;
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isScored(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { path, score } = value as Record<string, unknown>;
  return typeof path === 'string' && typeof score === 'number';
}

function isScoredFile(value: unknown): boolean {
  if (!isScored(value)) return false;
  const { regions } = value as Record<string, unknown>;
  return isListOf(
    regions,
    (region) => typeof (region as Record<string, unknown> | null)?.text === 'string',
  );
}
