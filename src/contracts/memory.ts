export const memoryLayers = ['interact', 'insights', 'assets'] as const;
export type MemoryLayer = (typeof memoryLayers)[number];

/**
 * The scope of a row: its workspace, all workspaces of the person, or everybody with the same
 * store.
 */
export const memoryScopes = ['project', 'person', 'team'] as const;
export type MemoryScope = (typeof memoryScopes)[number];

/** Stands for the workspace of a row that holds wherever its person works. */
export const everyProject = '';

/** The later state of a row, and its relations to others. */
export type MemoryState = {
  /** `project` when absent */
  scope?: MemoryScope;
  /** what a fact is about, in its own words */
  subject?: string;
  /** from when on it holds, ms since the Unix epoch; since it was said when absent */
  holdsMs?: number;
  /** ids of the facts that it took the place of */
  replaces?: readonly string[];
  /** id of the fact that took its place */
  replacedBy?: string;
  /** when it was said to hold no longer, ms since the Unix epoch; nothing took its place then */
  endedMs?: number;
  why?: string;
  /** a person took it back from a higher layer: no job promotes it again */
  stays?: true;
};

/** A row to be remembered. */
export type MemoryRecord = MemoryState & {
  layer: MemoryLayer;
  /** what is shown and quoted */
  text: string;
  /** what full-text search looks at: the text with who, when and neighbours */
  context: string;
  /**
   * `fact`, `decision` or `preference` (what a person told), `model` (what a model kept), `question`, `answer`, `passage` (of a
   * file), `event` (the outcome of a run), or what a plugin calls it
   */
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

/** A record with its id, the hash of scope and text. */
export type MemoryRow = { id: string; record: MemoryRecord };

/** Every factor that made a hit's score. */
export type MemoryFactors = {
  /** true BM25 score, 0 or absent when no word of the question is in it */
  bm25?: number;
  /** true cosine to the question, −1 to 1; absent without an embedder or a vector */
  cosine?: number;
  /** cosine by a sentence model that did not make the table's vectors, and counts instead */
  meaning?: number;
  /** the cosine that counts, on one scale for all embedders: 0.5 perhaps answers, 1 mostly does */
  likeness?: number;
  /** 0 to 1: the weighted sum of words and likeness, each as a share of its best */
  fused: number;
  layerWeight: number;
  /** 0.8 to 1; 1 for facts, decisions and preferences */
  decay: number;
  /** of a fact, where the question asks for a time or a number: 1 if it holds one, else less */
  fit?: number;
  rerank?: number;
};

export type MemoryHit = MemoryState & {
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
  /** what a fact took the place of, the newest first */
  replaced?: readonly { id: string; text: string; ts: number }[];
};

/** Narrows rows; each given field must match. */
export type MemoryFilter = {
  layer?: MemoryLayer;
  project?: string;
  /** one of these */
  projects?: readonly string[];
  session?: string;
  source?: string;
  /** one of these */
  sources?: readonly string[];
  /** none of these */
  notSources?: readonly string[];
  run?: string;
  /** one of these */
  kinds?: readonly string[];
  /** none of these */
  notKinds?: readonly string[];
  /** all of these */
  tags?: readonly string[];
  /** this time or later, ms since the Unix epoch */
  sinceMs?: number;
  /** before this time */
  beforeMs?: number;
  /** one of these ids, hex */
  ids?: readonly string[];
  /** what the id begins with, hex */
  idStart?: string;
};

export type MemoryQuery = MemoryFilter & {
  text: string;
  /** a time that is asked about: facts that held then are found as well */
  asOf?: { fromMs: number; toMs: number };
  /** facts that hold no longer are found, too, and nothing is put in their place */
  ended?: true;
  /** questions that were asked are found, too; also where `kinds` names them */
  questions?: true;
  /** ranked among the rows that the filter lets through, so that no score tells of others */
  isAlone?: true;
  /** at most this many hits, best first */
  limit: number;
};

type Options = { signal: AbortSignal };

/** The memory service. The caller owns it. */
export type Memory = AsyncDisposable & {
  /** Durable when it resolves; a repeat of the same text in the same scope is one row. */
  remember(records: readonly MemoryRecord[], options: Options): Promise<string[]>;
  search(query: MemoryQuery, options: Options): Promise<MemoryHit[]>;
  /**
   * Writes rows with the ids that they have, in place of those that have them.
   *
   * @param options.run whose undo takes it back
   */
  rewrite(rows: readonly MemoryRow[], options: Options & { run?: string }): Promise<void>;
};

/** How many rows at once become part of memory: those of what can be read again. */
export type MemoryIngest = {
  /**
   * Writes rows of `assets` to their table at once, past the journal.
   *
   * @param options.claim asked under the write lock; the sources of which no row is anywhere: those
   *   are added without a look at what is there
   * @param options.isText what came from no file, and could not be read again
   */
  ingest(
    records: readonly MemoryRecord[],
    options: Options & { claim(): ReadonlySet<string>; isText?(source: string): boolean },
  ): Promise<void>;
  /** Builds the indices that `assets` asks for after many rows were written. */
  settle(options: Options): Promise<void>;
};

export type LayerCounts = Readonly<Record<MemoryLayer, number>>;

export type LayerStats = {
  layer: MemoryLayer;
  rows: number;
  /** rows of `rows` that are durable and not yet in the table */
  pending: number;
  fragments: number;
  /** on disk, with old versions and indices */
  bytes: number;
  /** name of the embedder that made the table's vectors; '' for none */
  embedder: string;
  dimensions: number;
  oldestMs?: number;
  newestMs?: number;
};

/** What keeps memory in order; jobs and commands use it. Writers wait for each other. */
export type MemoryUpkeep = {
  /** Rows that match, newest first. */
  list(filter: MemoryFilter, options: Options & { limit: number }): Promise<MemoryRow[]>;
  /** All rows that match, oldest first, a few at a time. */
  rows(filter: MemoryFilter, options: Options): AsyncGenerator<MemoryRow, void, undefined>;
  count(filter: MemoryFilter, options: Options): Promise<LayerCounts>;
  /** The sources that rows which match came from. */
  sources(filter: MemoryFilter, options: Options): Promise<Set<string>>;
  /**
   * Whether this machine has neither a table of a layer nor a row that waits for one; looks at the
   * names of the tables alone. False of a layer that machines share.
   */
  isEmpty(layer: MemoryLayer): Promise<boolean>;
  /**
   * Takes rows away, wherever they are.
   *
   * @param options.wipe the next `optimize` takes their bytes off the disk, too, and not only one
   *   that is forced to
   * @returns rows taken from each layer
   */
  forget(filter: MemoryFilter, options: Options & { wipe?: boolean }): Promise<LayerCounts>;
  /**
   * Moves facts, decisions and preferences one layer up, and copies turns of `interact` to
   * `insights`, with the tags they have, `promoted` and `because:REASON`, and with their run, source
   * and scope. A row that is already there, or was taken back, stays as it is.
   *
   * @returns the ids of the rows that are new in their layer
   */
  promote(
    rows: readonly { id: string; reason: string }[],
    options: Options,
  ): Promise<{ id: string; from: string }[]>;
  /**
   * Takes promotions back: facts go back to `interact`, and copies of turns away. No job promotes
   * them again.
   *
   * @returns the ids of the rows that were promoted
   */
  demote(ids: readonly string[], options: Options): Promise<string[]>;
  /**
   * Removes rows above a layer's number, or older ones in layers that age. Facts that a person
   * asked to keep stay.
   *
   * @param options.worth the usefulness of rows by id, 0 when absent; the least useful go first, of
   *   equals the older
   */
  prune(
    nowMs: number,
    options: Options & { worth?: ReadonlyMap<string, number> },
  ): Promise<LayerCounts>;
  /**
   * Moves pending rows over, merges fragments, drops old versions and builds the indices that a
   * table's size asks for.
   *
   * @param options.force also where no threshold is reached; bytes of all rows that were taken away
   *   leave the disk then, else of those that were forgotten with `wipe`
   * @returns layers that were worked on
   */
  optimize(nowMs: number, options: Options & { force?: boolean }): Promise<MemoryLayer[]>;
  stats(options: Options): Promise<LayerStats[]>;
  /**
   * Makes the tables of this machine anew from what the store has; pieces of files are to be read
   * again. Searches go on meanwhile.
   *
   * @returns rows that were written, and what of tables of earlier versions could not be read
   */
  rebuild(
    options: Options & { onProgress?: (progress: { done: number; of: number }) => void },
  ): Promise<{ rows: number; unread: string[] }>;
  /**
   * Gives every row a vector of the embedder in use; goes on with what an interruption left.
   *
   * @returns rows that got a vector
   * @throws {KernelError} `unavailable` without an embedder
   */
  reembed(
    options: Options & {
      onProgress?: (progress: { layer: MemoryLayer; done: number; of: number }) => void;
    },
  ): Promise<number>;
};

/** Makes the vectors of texts. Those of two embedders are never compared. */
export type MemoryEmbedder = {
  /** kept with the tables that it wrote */
  readonly name: string;
  readonly dimensions: number;
  /** share of the cosine in the fused score, 0 to 1 */
  readonly alpha: number;
  /** cosines up to this one count as 0 */
  readonly cosineFloor: number;
  /** a fact that shares no word with a question and is as near as this perhaps answers it */
  readonly perhapsCosine: number;
  /** one that is as near as this mostly answers it */
  readonly sureCosine: number;
  /** weight of a reranker's scores against the fused ones, 0 to 1: the better the vectors, the less */
  readonly rerankShare: number;
  /**
   * @param options.isQuery the texts are questions, and not what is searched
   * @returns vectors of length 1 in the order of the texts; zeros for a text it cannot read
   */
  embed(
    texts: readonly string[],
    options: Options & { isQuery?: boolean },
  ): Promise<Float32Array[]>;
  /**
   * Vectors of texts that were made before, and are kept; none is made. Absent: nothing is kept.
   *
   * @returns undefined for a text whose vector is not there
   */
  kept?(texts: readonly string[]): (Float32Array | undefined)[];
};

/** Looks at the best hits once more, each together with the question. */
export type MemoryReranker = {
  readonly name: string;
  /** so many of the best are looked at */
  readonly candidates: number;
  /** weight of its scores for pieces of code, 0 to 1; absent: code gains nothing by it */
  readonly codeShare?: number;
  /**
   * @param texts best first; those at the end are the ones that a deadline leaves out
   * @param pool texts among which a word may be frequent or rare
   * @returns one score a text, of no fixed range; undefined for a text that was not reached in time
   */
  score(
    question: string,
    texts: readonly string[],
    options: Options & { pool: readonly string[] },
  ): Promise<(number | undefined)[]>;
};

/** A piece of a file, and how like it is to a question. */
export type NearPiece = {
  /** path relative to the workspace */
  source: string;
  /** as it was when it was read */
  text: string;
  /** from 1; both belong to it */
  startLine: number;
  endLine: number;
  cosine: number;
  /** the cosine above what any two texts have by this embedder, 0 or more */
  likeness: number;
};

/** Pieces of files by their vectors alone. */
export type MemoryPieces = {
  /**
   * The pieces of a workspace that are most like a question, and those of named sources.
   *
   * @param options.sources whose pieces are looked at, however unlike they are
   * @param options.limit of the pieces of all files
   * @returns best first; nothing where there are no vectors of the embedder in use
   */
  nearPieces(
    question: string,
    options: Options & { project: string; sources: readonly string[]; limit: number },
  ): Promise<NearPiece[]>;
  /**
   * Looks at pieces of code once more, each together with the question.
   *
   * @param pieces best first
   * @returns one score a piece, undefined for what was not reached in time, and what they weigh
   *   against other scores, 0 to 1; undefined where no model is there that helps code
   */
  rerankPieces(
    question: string,
    pieces: readonly Pick<NearPiece, 'source' | 'text'>[],
    options: Options,
  ): Promise<{ scores: (number | undefined)[]; share: number } | undefined>;
};

export type FlushableMemory = Memory &
  MemoryUpkeep &
  MemoryIngest &
  MemoryPieces & {
    /**
     * Makes vectors of a sentence model for what was said, where the table makes those of searches.
     *
     * @param options.limit so many at most
     * @returns undefined where there is no such model
     */
    makeMeanings(
      options: Options & { limit?: number },
    ): Promise<{ made: number; model: string } | undefined>;
    /** How many of the newest and the oldest texts have no such vector; 0 without a model. */
    missingMeanings(): Promise<number>;
    /**
     * Moves what is pending into the search index, whatever its number.
     *
     * @returns rows moved and rows still pending; `moved` is undefined when another process is at it
     */
    flush(options: {
      signal: AbortSignal;
    }): Promise<{ moved: number | undefined; pending: number }>;
  };

/** The memories that an answer shows: those surely about the question, and those perhaps. */
export type Recalled = { sure: MemoryHit[]; perhaps: MemoryHit[] };

/** The effect of undoing a run of memory. */
export type FactUndo = {
  run: string;
  /** rows that the run said, which go */
  gone: readonly MemoryRow[];
  /** rows that it changed, as they will be again */
  back: readonly MemoryRow[];
};

/** How far an update of the index is: files done, of all, and pieces made. */
export type IndexProgress = { files: number; of: number; chunks: number };
