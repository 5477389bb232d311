import type { Embedder } from '../contracts/embedder.ts';
import { KernelError } from '../contracts/error.ts';
import type { Likeness } from '../contracts/likeness.ts';
import { dotProduct } from '../lib/dot-product.ts';

/**
 * How alike other texts are to one. Undefined where the embedder cannot be loaded, and `onFailure`
 * is told why.
 *
 * @param options.of what the other texts are
 */
export function likenessTo(
  text: string,
  embedder: () => Embedder,
  options: { of: 'text' | 'code'; onFailure(reason: string): void },
): Likeness | undefined {
  try {
    const { embed, embedCode } = embedder();
    const own = embed(text);
    const read = options.of === 'code' ? embedCode : embed;
    return (other) => dotProduct(own, read(other));
  } catch (thrown) {
    options.onFailure(KernelError.from(thrown, 'internal').message);
    return undefined;
  }
}
