import { readFileSync } from 'node:fs';
import type { Embedder } from '../../contracts/embedder.ts';
import { KernelError } from '../../contracts/error.ts';
import { reasonOf } from '../../lib/reason-of.ts';
import { decodeEmbedderFile, type EmbedderFile } from './embedder-file.ts';
import { plainCode } from './plain-code.ts';
import { createTokenizer } from './tokenizer.ts';

/** The embedder that comes along, beside the code that loads it. */
export const embedderFileName = 'static-embedder.ste';

/** Of one text: behind so many the sum no longer turns much, and the time is bounded. */
const maxCharacters = 20_000;

/**
 * @param path of an embedder file, about 8 MB
 * @throws {KernelError} `unavailable` when it cannot be read or is none
 */
export function loadEmbedder(path: string): Embedder {
  return createEmbedder(readEmbedder(path));
}

function readEmbedder(path: string): EmbedderFile {
  try {
    return decodeEmbedderFile(readFileSync(path));
  } catch (thrown) {
    const reason = reasonOf(thrown);
    throw new KernelError('unavailable', `the embedder ${path} cannot be used: ${reason}`, {
      cause: thrown,
      hint: 'Install cuervo again: the file comes with it.',
    });
  }
}

/** Adds up one vector for each word piece of a text. */
function createEmbedder(file: EmbedderFile): Embedder {
  const { dimensions, scales, values } = file;
  const tokenize = createTokenizer(file.vocabulary);
  const embed = (text: string): Float32Array => {
    const sum = new Float32Array(dimensions);
    for (const piece of tokenize(text.slice(0, maxCharacters))) {
      const scale = scales[piece] ?? 0;
      if (scale === 0) continue;
      const from = piece * dimensions;
      for (let at = 0; at < dimensions; at += 1) {
        sum[at] = (sum[at] as number) + scale * (values[from + at] as number);
      }
    }
    return normalize(sum);
  };
  return {
    name: `static-${dimensions}`,
    dimensions,
    embed,
    embedCode: (text) => embed(plainCode(text.slice(0, maxCharacters))),
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
