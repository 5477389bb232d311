import type { Embedder } from '../contracts/embedder.ts';
import { KernelError } from '../contracts/error.ts';
import type { Likeness } from '../contracts/likeness.ts';
import { dotProduct } from '../lib/dot-product.ts';

/** A word of a question, and how much of the question it is. */
export type WeightedWord = { word: string; weight: number };

/**
 * How alike other texts are to one. Undefined where the embedder cannot be loaded, and `onFailure`
 * is told why.
 *
 * @param text or its words, where it is known which of them matter
 * @param options.of what the other texts are
 */
export function likenessTo(
  text: string | readonly WeightedWord[],
  embedder: () => Embedder,
  options: { of: 'text' | 'code'; onFailure(reason: string): void },
): Likeness | undefined {
  try {
    const { embed, embedCode } = embedder();
    const own = typeof text === 'string' ? embed(text) : sumOf(text, embed);
    const read = options.of === 'code' ? embedCode : embed;
    return (other) => dotProduct(own, read(other));
  } catch (thrown) {
    options.onFailure(KernelError.from(thrown, 'internal').message);
    return undefined;
  }
}

/** Of length 1, or all zeros. */
function sumOf(words: readonly WeightedWord[], embed: Embedder['embed']): Float32Array {
  const sum = new Float32Array(embed('').length);
  for (const { word, weight } of words) {
    for (const [at, value] of embed(word).entries()) {
      sum[at] = (sum[at] as number) + weight * value;
    }
  }
  const length = Math.hypot(...sum);
  return length === 0 ? sum : sum.map((value) => value / length);
}
