/** Turns texts into vectors whose dot products say how alike they are. */
export type Embedder = {
  /** what is kept beside the vectors it made: vectors of two embedders are not compared */
  readonly name: string;
  readonly dimensions: number;
  /** @returns of length 1; all zeros for a text without any word it knows */
  embed(text: string): Float32Array;
  /** The same for code: names are read as the words they are made of, signs are left out. */
  embedCode(text: string): Float32Array;
  /** How near a text comes to each of some words: the cosine of the piece that is nearest to it (MaxSim). */
  nearest(words: readonly string[]): Nearness;
  /** The same for code. */
  nearestInCode(words: readonly string[]): Nearness;
};

type Options = { signal: AbortSignal };

/** The states of a text's tokens, each of length 1 before it was rounded to eight bits. */
export type TokenStates = {
  dimensions: number;
  /** one for each token: what its row of `values` is multiplied by to have length 1 */
  scales: Float32Array;
  /** `scales.length` rows of `dimensions` values, −127 to 127 */
  values: Int8Array;
};

/** How to compare the vectors of a model; stored with the model. */
export type VectorUse = {
  /** share of the cosine in the fused score, 0 to 1 */
  alpha: number;
  /** cosines up to this one say nothing; 0 for models whose unrelated texts have about 0 */
  cosineFloor: number;
  /** a fact that shares no word with a question and is as near as this perhaps answers it */
  perhapsCosine: number;
  /** one that is as near as this mostly answers it */
  sureCosine: number;
  /** weight of a reranker's scores against the fused ones, 0 to 1 */
  rerankShare: number;
  /** weight of its late interaction for pieces of code; absent: code gains nothing by it */
  codeShare?: number;
};

/**
 * A model that makes a vector of a text. It runs in a process of its
 * own; every method throws `unavailable` when that crashes or hangs, and the next call starts
 * another. The caller owns it.
 */
export type VectorModel = AsyncDisposable & {
  /** the folder's or file's name, and eight digits of what its vectors depend on */
  readonly name: string;
  readonly dimensions: number;
  readonly use: VectorUse;
  /** @returns vectors of length 1 in the order of the texts */
  embed(
    texts: readonly string[],
    options: Options & { isQuery?: boolean },
  ): Promise<Float32Array[]>;
};

/** A vector model that also gives what it made of each token. */
export type SentenceModel = VectorModel & {
  /** Starts the process ahead of its first use; resolves when the model is loaded. */
  warm(): Promise<void>;
  /** @param options.maxTokens what is behind is cut off */
  tokenStates(
    texts: readonly string[],
    options: Options & { maxTokens: number },
  ): Promise<TokenStates[]>;
  /** A question's states without those of special tokens, and the word pieces they belong to. */
  queryStates(text: string, options: Options): Promise<{ pieces: string[]; states: TokenStates }>;
};

/** A model that reads question and text together. In a process of its own, as above. */
export type PairModel = AsyncDisposable & {
  readonly name: string;
  warm(): Promise<void>;
  /** @returns one score a text, in their order; the larger, the better; of no fixed range */
  score(
    question: string,
    texts: readonly string[],
    options: Options & { maxTokens: number },
  ): Promise<number[]>;
};

/** How alike a text is to one that was named: the cosine of their vectors, at most 1. */
export type Likeness = (text: string) => number;

/** How near something in a text comes to each of some words, in their order: 0 to 1 each. */
export type Nearness = (text: string) => readonly number[];

/** How alike texts are to one text as a whole, and how near they come to each of its words. */
export type Likenesses = { asked: Likeness; nearest: Nearness };

/**
 * Bytes that were computed from texts, by a hash of the text. They are worth only the time to make
 * them again: a cache that cannot be read or written is an empty one.
 */
export type VectorCache = {
  /**
   * @param space what else the bytes depend on: model, length
   * @returns one entry a key, in their order
   */
  get(space: string, keys: readonly string[]): (Uint8Array | undefined)[];
  put(space: string, entries: readonly { key: string; value: Uint8Array }[]): void;
};
