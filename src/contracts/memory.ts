export type MemoryLayer = 'interact' | 'insights' | 'assets';

/** A row to be remembered. */
export type MemoryRecord = {
  layer: MemoryLayer;
  /** what is shown and quoted */
  text: string;
  /** what full-text search looks at: the text with who, when and neighbours */
  context: string;
  /** `question`, `answer`, `note`, … */
  kind: string;
  tags: readonly string[];
  /** absolute path of the workspace */
  project: string;
  session?: string;
  /** run that produced it */
  run?: string;
  /** what it came from: a path relative to the workspace, or a tool */
  source?: string;
  /** milliseconds since the Unix epoch */
  ts: number;
};

/** Every factor that made a hit's score. */
export type MemoryFactors = {
  bm25?: number;
  cosine?: number;
  fused: number;
  layerWeight: number;
  decay: number;
  rerank?: number;
};

export type MemoryHit = {
  id: string;
  layer: MemoryLayer;
  score: number;
  text: string;
  kind: string;
  tags: readonly string[];
  project: string;
  session?: string;
  source?: string;
  run?: string;
  ts: number;
  factors: MemoryFactors;
};

export type MemoryQuery = {
  text: string;
  /** at most this many hits, best first */
  limit: number;
  project?: string;
  session?: string;
  layer?: MemoryLayer;
};

/** The memory service. The caller owns it. */
export type Memory = AsyncDisposable & {
  /** Durable when it resolves; a repeat of the same text in the same scope is one row. */
  remember(records: readonly MemoryRecord[], options: { signal: AbortSignal }): Promise<string[]>;
  search(query: MemoryQuery, options: { signal: AbortSignal }): Promise<MemoryHit[]>;
};
