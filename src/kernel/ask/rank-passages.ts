import { codeLikenesses } from '../../ask/likenesses-to.ts';
import { mixReranked } from '../../ask/mix-reranked.ts';
import { ownScriptFirst } from '../../ask/own-script-first.ts';
import {
  choosePassages,
  type RankedFile,
  rankFiles,
  type WideFindings,
} from '../../ask/rank-files.ts';
import type { Embedder } from '../../contracts/embedder.ts';
import { reasonOf } from '../../contracts/error.ts';
import type { NearPiece } from '../../contracts/memory.ts';
import type { ToolOutput } from '../../contracts/tool.ts';
import { counted } from '../../lib/text/amounts.ts';
import type { IndexFindings, IndexPieces } from '../../memory/commands/index-pieces.ts';

/** Words of a question that are compared; each is compared with every piece of all blocks. */
const maxWords = 64;

export type RankingPorts = {
  /** of code; loaded by the first search; where that fails, the order by words stays and `warn` says so */
  embedder(): Embedder;
  /** absent: the workspace is asked without an index */
  pieces?: IndexPieces;
  warn(message: string): void;
};

/**
 * Ranks what the search for passages found by words: by meaning, and by the index where the
 * workspace has one.
 */
export async function rankPassages(
  found: WideFindings,
  question: string,
  ports: RankingPorts,
  signal: AbortSignal,
): Promise<ToolOutput> {
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
  const passages = choosePassages(content, ownScriptFirst(again, content.files, question));
  const shown = new Set(passages.map(({ path }) => path)).size;
  return {
    content: JSON.stringify({ ...rest, passages }),
    summary: `${counted(passages.length, 'passage')} in ${shown} of ${counted(files.length, 'file')} ranked by words${index === undefined ? '' : ', index'} and meaning`,
  };
}

/** Unsearched files that are named. */
const namedFiles = 3;

function notSearched(paths: readonly string[]): string {
  const named = paths.slice(0, namedFiles).map((path) => JSON.stringify(path));
  const more = paths.length - named.length;
  const which = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `not searched because their content is not UTF-8, though they hold words of the question: ${which}`;
}

/** A failure of the index must not prevent the answer. */
async function askIndex(
  { files }: WideFindings,
  question: string,
  { pieces, warn }: RankingPorts,
  signal: AbortSignal,
): Promise<IndexFindings | undefined> {
  try {
    const paths = files.map(({ path }) => path);
    const found = await pieces?.find(question, paths, { signal });
    const behind = found?.behind.length ?? 0;
    if (behind > 0) {
      warn(
        `the index is behind: ${behind} of the files it found ${behind === 1 ? 'has' : 'have'} changed since; update it with: cuervo index`,
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

/**
 * The findings, and files that only the index knows: these get no score for the question's words.
 */
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

/** For so many files the best piece is reranked. */
const reranked = 10;

async function rerank(
  ranked: readonly RankedFile[],
  index: IndexFindings,
  { warn }: RankingPorts,
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
