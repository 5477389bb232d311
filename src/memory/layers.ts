import type { MemoryLayer, MemoryRecord, MemoryState } from '../contracts/memory.ts';
import type { MemoryUses } from '../contracts/memory-store.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export type LayerPolicy = {
  /** how much a hit of it counts */
  weight: number;
  /** after this a row counts half */
  halfLifeMs: number;
  /** rows that stay beside facts, which all stay; of more rows the least used go */
  maxRows: number;
};

export const layerPolicies: Readonly<Record<MemoryLayer, LayerPolicy>> = {
  interact: { weight: 1.2, halfLifeMs: 48 * hourMs, maxRows: 50_000 },
  insights: { weight: 1.0, halfLifeMs: 30 * dayMs, maxRows: 50_000 },
  assets: {
    weight: 0.8,
    halfLifeMs: Number.POSITIVE_INFINITY,
    maxRows: Number.POSITIVE_INFINITY,
  },
};

/** How much memory keeps. */
export type Retention = {
  /** the most turns that are kept */
  turnRows: number;
  /** older turns go; undefined keeps turns of any age */
  turnDays?: number;
};

export const defaultRetention: Retention = { turnRows: layerPolicies.interact.maxRows };

/**
 * Kinds that a person told or let a model keep (`model`): they neither expire nor decay.
 */
export const keptKinds: readonly string[] = ['fact', 'decision', 'preference', 'model'];
/** Names of earlier versions. */
const oldFact = 'note';
const pieceKinds: readonly string[] = ['code', 'markdown', 'text'];

/** Whether a person or a model had it kept. Rows of a plugin have its name as `source`. */
export function isKept({ kind, source }: Pick<MemoryRecord, 'kind' | 'source'>): boolean {
  return source === undefined && (keptKinds.includes(kind) || kind === oldFact);
}

/** The kind of a row as commands show it. Inside, a piece of a file is called by what it holds. */
function shownKind({
  kind,
  layer,
  source,
}: Pick<MemoryRecord, 'kind' | 'layer' | 'source'>): string {
  if (kind === oldFact && source === undefined) return 'fact';
  return layer === 'assets' && pieceKinds.includes(kind) ? 'passage' : kind;
}

export function asShown<Row extends MemoryState & Pick<MemoryRecord, 'kind' | 'layer' | 'source'>>(
  row: Row,
): Row {
  return { ...row, kind: shownKind(row), scope: row.scope ?? 'project' };
}

/** The kinds in the tables that commands show as these kinds. */
export function storedKinds(kinds: readonly string[]): string[] {
  const stored = kinds.flatMap((kind) => {
    if (kind === 'fact') return [kind, oldFact];
    return kind === 'passage' ? [kind, ...pieceKinds] : [kind];
  });
  return [...new Set(stored)];
}

/** A lower score counts as never used. */
const minScore = 0.05;

/**
 * Brings the scores of used rows up to now: halved with each half-life of their layer. Searches
 * compute their decay themselves; this score is what promotion and pruning look at.
 *
 * @returns rows whose score was brought up to now, and those that are as good as never used
 */
export function decayScores(uses: MemoryUses, nowMs: number): { scored: number; dropped: number } {
  const scores = uses.all().map(({ id, layer, score, scoredMs }) => {
    // a clock that was set back makes nothing younger
    const passedMs = Math.max(0, nowMs - scoredMs);
    return { id, score: score * 2 ** (-passedMs / layerPolicies[layer].halfLifeMs) };
  });
  const worn = scores.filter(({ score }) => score < minScore).map(({ id }) => id);
  const kept = scores.filter(({ score }) => score >= minScore);
  uses.keepScores(kept, nowMs);
  uses.remove(worn);
  return { scored: kept.length, dropped: worn.length };
}
