import type { Embedder } from '../contracts/embedder.ts';
import { KernelError } from '../contracts/error.ts';
import { dotProduct } from '../lib/dot-product.ts';

/**
 * How alike other texts are to one: the cosine of their vectors. Undefined where the embedder
 * cannot be loaded, which `warn` is told.
 */
export function likenessTo(
  text: string,
  embedder: () => Embedder,
  warn: (message: string) => void,
): ((other: string) => number) | undefined {
  try {
    const { embed } = embedder();
    const own = embed(text);
    return (other) => dotProduct(own, embed(other));
  } catch (thrown) {
    warn(`tools are chosen by words alone: ${KernelError.from(thrown, 'internal').message}`);
    return undefined;
  }
}
