import type { Embedder } from '../../contracts/embedder.ts';
import { KernelError, reasonOf } from '../../contracts/error.ts';
import { memoizeSome, rememberLast } from '../../lib/memo.ts';
import { dotProduct } from '../../lib/numbers.ts';
import { plainCode } from '../texts.ts';
import { type OpenEmbedderFile, openEmbedderFile } from './open-embedder-file.ts';
import { createTokenizer } from './tokenizer.ts';

/** The embedder that comes along, beside the code that loads it. */
export const embedderFileName = 'static-embedder.ste';
/** The one that tells what code is about. */
export const codeEmbedderFileName = 'code-embedder.ste';

/** Characters of one text that are used: more hardly turn the sum, and the time is bounded. */
const maxCharacters = 20_000;
/** Directions of word pieces that are kept, a kilobyte each. */
const maxDirections = 8192;

/**
 * @param path of an embedder file, 6 to 8 MB
 * @throws {KernelError} `unavailable` when it cannot be read or is not such a file; so does what the
 *   embedder is asked for later
 */
export function loadEmbedder(path: string): Embedder {
  const orUnavailable = <Made>(read: () => Made): Made => {
    try {
      return read();
    } catch (thrown) {
      const reason = reasonOf(thrown);
      throw new KernelError('unavailable', `the embedder ${path} cannot be used: ${reason}`, {
        cause: thrown,
        hint: 'Install cuervo again: the file comes with it.',
      });
    }
  };
  const file = orUnavailable(() => openEmbedderFile(path));
  return createEmbedder(file, (row) => orUnavailable(() => file.need(row)));
}

/** Adds up one vector for each word piece of a text. */
function createEmbedder(file: OpenEmbedderFile, need: (row: number) => void): Embedder {
  const { dimensions, scales, values } = file;
  const tokenize = createTokenizer(file.vocabulary, file.pieces);
  const piecesOf = (text: string) => tokenize(text.slice(0, maxCharacters));
  // Two functions ask for the same block in turn, and cutting it is the most expensive part.
  const piecesOfCode = rememberLast((text) => piecesOf(plainCode(text.slice(0, maxCharacters))));
  const sumOf = (pieces: readonly number[]): Float32Array => {
    const sum = new Float32Array(dimensions);
    for (const piece of pieces) {
      const scale = scales[piece] ?? 0;
      if (scale === 0) continue;
      need(piece);
      const from = piece * dimensions;
      for (let at = 0; at < dimensions; at += 1) {
        sum[at] = (sum[at] as number) + scale * (values[from + at] as number);
      }
    }
    return normalize(sum);
  };
  // Tools are compared with one goal after the other.
  const directionOf = memoizeSome((piece: number) => sumOf([piece]), maxDirections);
  return {
    name: `static-${dimensions}`,
    dimensions,
    embed: (text) => sumOf(piecesOf(text)),
    embedCode: (text) => sumOf(piecesOfCode(text)),
    nearest: (words) => {
      const near = nearnessTo(words.map(piecesOf), directionOf);
      return (text) => near(piecesOf(text));
    },
    nearestInCode: (words) => {
      const near = nearnessTo(words.map(piecesOf), (piece) => sumOf([piece]));
      return (text) => near(piecesOfCode(text));
    },
  };
}

/**
 * For each word, how near a list of pieces comes to it: each piece of the word counts its nearest
 * one, and the word is their mean.
 *
 * @param words the pieces of each
 */
function nearnessTo(
  words: readonly (readonly number[])[],
  directionOf: (piece: number) => Float32Array,
): (pieces: readonly number[]) => number[] {
  const asked = words.flat();
  const directions = asked.map(directionOf);
  /** piece of code -> its nearness to each asked piece */
  const known = new Map<number, readonly number[]>();
  return (pieces) => {
    const best = new Float64Array(asked.length);
    for (const piece of pieces) {
      let near = known.get(piece);
      if (near === undefined) {
        const own = directionOf(piece);
        near = directions.map((direction) => dotProduct(direction, own));
        known.set(piece, near);
      }
      // A question passes here once for each tool, before the engine has compiled it.
      for (let at = 0; at < best.length; at += 1) {
        if ((near[at] as number) > (best[at] as number)) best[at] = near[at] as number;
      }
    }
    let from = 0;
    return words.map(({ length }) => {
      const own = best.slice(from, from + length);
      from += length;
      return own.reduce((sum, one) => sum + one, 0) / Math.max(1, length);
    });
  };
}

function normalize(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) return vector;
  const factor = 1 / Math.sqrt(squares);
  for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] as number) * factor;
  return vector;
}
