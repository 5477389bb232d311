import type { MemoryPieces, NearPiece } from '../../contracts/memory.ts';
import type { FoundPiece } from '../tables/lance-table.ts';
import { whereClause } from '../tables/where-clause.ts';
import { codeText, cutText } from '../texts.ts';
import { embedderFor, maxQueryCharacters, rerankerOf, type SearchPorts } from './search-memory.ts';

/**
 * Rows of the named sources together: the best of some twenty sources, unless one is very large.
 */
const ownRows = 200;

/** See `MemoryPieces`; pieces that are in no table yet are not among them. */
export async function nearPieces(
  ports: Pick<SearchPorts, 'index' | 'embedder' | 'warn'>,
  question: string,
  { project, sources, limit, signal }: Parameters<MemoryPieces['nearPieces']>[1],
): Promise<NearPiece[]> {
  const embedder = await embedderFor(ports, await ports.index.tables(['assets']));
  const asked = cutText(question, maxQueryCharacters);
  const [vector] = (await embedder?.embed([asked], { signal, isQuery: true })) ?? [];
  if (embedder === undefined || !vector?.some((value) => value !== 0)) return [];
  const all = whereClause({ project }) ?? 'true';
  const own = whereClause({ project, sources }) ?? 'true';
  const found = await ports.index.read(['assets'], async ([table]) => {
    if (table === undefined || table.name.embedder === '') return [];
    return await Promise.all([
      limit === 0 ? [] : table.nearPieces(vector, all, { limit, exact: false }),
      sources.length === 0 ? [] : table.nearPieces(vector, own, { limit: ownRows, exact: true }),
    ]);
  });
  const likenessOf = ({ cosine }: FoundPiece) => Math.max(0, cosine - embedder.cosineFloor);
  return bestFirst(found.flat().map((piece) => ({ ...piece, likeness: likenessOf(piece) })));
}

/** See `MemoryPieces`. */
export async function rerankPieces(
  ports: Pick<SearchPorts, 'reranker' | 'warn'>,
  question: string,
  pieces: Parameters<MemoryPieces['rerankPieces']>[1],
  { signal }: { signal: AbortSignal },
): ReturnType<MemoryPieces['rerankPieces']> {
  const reranker = await rerankerOf(ports);
  const share = reranker?.codeShare;
  if (reranker === undefined || share === undefined) return undefined;
  const texts = pieces.map(({ source, text }) => codeText(text, source));
  return { scores: await reranker.score(question, texts, { signal, pool: texts }), share };
}

/** Each piece once, the nearest first. */
export function bestFirst(found: readonly NearPiece[]): NearPiece[] {
  const pieces = new Map(found.map((piece) => [`${piece.startLine} ${piece.source}`, piece]));
  return [...pieces.values()].sort((one, other) => other.cosine - one.cosine);
}
