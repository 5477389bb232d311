import type { NearPiece } from '../../contracts/memory.ts';

/** Each piece once, the nearest first. */
export function bestFirst(found: readonly NearPiece[]): NearPiece[] {
  const pieces = new Map(found.map((piece) => [`${piece.startLine} ${piece.source}`, piece]));
  return [...pieces.values()].sort((one, other) => other.cosine - one.cosine);
}
