import type { TokenStates } from '../../contracts/embedder.ts';

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
