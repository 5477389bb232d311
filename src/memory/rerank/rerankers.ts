import type {
  PairModel,
  SentenceModel,
  TokenStates,
  VectorCache,
} from '../../contracts/embedder.ts';
import type { MemoryReranker } from '../../contracts/memory.ts';
import { textKey } from '../texts.ts';
import { untilDeadline, untilWarm } from './rerank-hits.ts';

/** Measured: 20 candidates gain twice as much as 10; with 64 tokens abstracts gain nothing. */
const candidates = 20;
const maxTokens = 128;
/** Some 15 to 60 ms of work, after which the deadline is checked. */
const batchTexts = 4;

/** Question and text read together. Nothing is kept: each pair is asked once. */
export function crossEncoderReranker(
  model: PairModel,
  options: { deadlineMs: number },
): MemoryReranker {
  model.warm().catch(() => {}); // while the tables are read; whoever asks gets the error
  return {
    name: `cross-encoder ${model.name}`,
    candidates,
    score: async (question, texts, { signal }) => {
      const scores: (number | undefined)[] = texts.map(() => undefined);
      await untilWarm(model);
      const deadline = untilDeadline(options.deadlineMs);
      for (let at = 0; at < texts.length; at += batchTexts) {
        const batch = texts.slice(at, at + batchTexts);
        const made = await deadline(model.score(question, batch, { signal, maxTokens }));
        if (made === undefined) break;
        for (const [index, score] of made.entries()) scores[at + index] = score;
      }
      return scores;
    },
  };
}

/**
 * Late interaction: for each token of the question the best cosine among the text's tokens, and of
 * these the mean, each weighted by how rare its token is.
 *
 * @param weights one for each token of the question, not all 0
 * @returns −1 to 1; 0 where one of the two has no token
 */
export function maxSim(
  question: TokenStates,
  weights: readonly number[],
  text: TokenStates,
): number {
  const { dimensions } = question;
  const rows = text.scales.length;
  if (rows === 0 || text.dimensions !== dimensions) return 0;
  let sum = 0;
  let total = 0;
  for (const [token, weight] of weights.entries()) {
    if (weight <= 0) continue;
    let best = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < rows; row += 1) {
      const product = dot(
        question.values,
        token * dimensions,
        text.values,
        row * dimensions,
        dimensions,
      );
      const cosine = product * (text.scales[row] as number);
      if (cosine > best) best = cosine;
    }
    sum += weight * best * (question.scales[token] ?? 0);
    total += weight;
  }
  return total === 0 ? 0 : sum / total;
}

function dot(one: Int8Array, from: number, other: Int8Array, at: number, length: number): number {
  let sum = 0;
  for (let i = 0; i < length; i += 1) {
    sum += (one[from + i] as number) * (other[at + i] as number);
  }
  return sum;
}

/** Weight of a comma or bracket: less than that of a piece in nearly every text. */
const signWeight = 0.16;

/**
 * What each piece of a question weighs: ln(1 + (n − f + .5) / (f + .5))^.75 where f of n texts at
 * hand have it, as in BM25, and less steep, because these texts were chosen for the pieces. A name
 * that is in every turn of a conversation says little, whatever it says elsewhere.
 *
 * @param pieces as the model's tokenizer cut the question
 */
export function pieceWeights(pieces: readonly string[], pool: readonly string[]): number[] {
  const texts = pool.map((text) => text.toLowerCase());
  const known = new Map<string, number>();
  return pieces.map((piece) => {
    const wanted = piece
      .replace(/^##|^▁|^Ġ/u, '')
      .trim()
      .toLowerCase();
    if (wanted === '' || !/[\p{L}\p{N}]/u.test(wanted)) return signWeight;
    let weight = known.get(wanted);
    if (weight === undefined) {
      const holders = texts.filter((text) => text.includes(wanted)).length;
      weight = Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5)) ** 0.75;
      known.set(wanted, weight);
    }
    return weight;
  });
}

/** `u32 dimensions, f32 scale of each token, i8 rows`, in the byte order of the machine. */
export function encodeTokenStates({ dimensions, scales, values }: TokenStates): Uint8Array {
  const bytes = new Uint8Array(4 + scales.byteLength + values.byteLength);
  new Uint32Array(bytes.buffer, 0, 1)[0] = dimensions;
  bytes.set(new Uint8Array(scales.buffer, scales.byteOffset, scales.byteLength), 4);
  bytes.set(
    new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
    4 + scales.byteLength,
  );
  return bytes;
}

/** @returns undefined for bytes of another form */
export function decodeTokenStates(bytes: Uint8Array): TokenStates | undefined {
  if (bytes.length < 4) return undefined;
  const { buffer } = bytes.slice();
  const dimensions = new Uint32Array(buffer, 0, 1)[0] ?? 0;
  const tokens = (bytes.length - 4) / (4 + dimensions);
  if (dimensions === 0 || !Number.isInteger(tokens)) return undefined;
  return {
    dimensions,
    scales: new Float32Array(buffer, 4, tokens),
    values: new Int8Array(buffer, 4 + 4 * tokens, tokens * dimensions),
  };
}

/**
 * Late interaction over the states of a sentence model's tokens. Those of texts are kept by a hash
 * of the text.
 *
 * @param options.deadlineMs of making the states that are not kept; what a question finds then is
 *   scored without them
 */
export function maxSimReranker(
  model: SentenceModel,
  cache: VectorCache,
  options: { deadlineMs: number; candidates?: number },
): MemoryReranker {
  const space = `states ${maxTokens} ${model.name}`;
  const make = async (texts: readonly string[], signal: AbortSignal): Promise<TokenStates[]> => {
    const states = await model.tokenStates(texts, { signal, maxTokens });
    const entries = states.map((one, at) => ({
      key: textKey(texts[at] ?? ''),
      value: encodeTokenStates(one),
    }));
    cache.put(space, entries);
    return states;
  };
  model.warm().catch(() => {}); // while the tables are read; whoever asks gets the error
  return {
    name: `maxsim ${model.name}`,
    candidates: options.candidates ?? candidates,
    ...(model.use.codeShare === undefined ? {} : { codeShare: model.use.codeShare }),
    score: async (question, texts, { signal, pool }) => {
      await untilWarm(model);
      const asking = model.queryStates(question, { signal });
      asking.catch(() => {}); // awaited below
      const kept = cache.get(space, texts.map(textKey));
      const states = kept.map((bytes) =>
        bytes === undefined ? undefined : decodeTokenStates(bytes),
      );
      const asked = await asking;
      const missing = [...states.keys()].filter((at) => states[at] === undefined);
      const deadline = untilDeadline(options.deadlineMs);
      for (let at = 0; at < missing.length; at += batchTexts) {
        const places = missing.slice(at, at + batchTexts);
        const made = await deadline(
          make(
            places.map((place) => texts[place] ?? ''),
            signal,
          ),
        );
        if (made === undefined) break;
        for (const [index, place] of places.entries()) states[place] = made[index];
      }
      const weights = pieceWeights(asked.pieces, pool);
      return states.map((text) =>
        text === undefined ? undefined : maxSim(asked.states, weights, text),
      );
    },
  };
}
