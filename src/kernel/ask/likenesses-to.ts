import type { Embedder } from '../../contracts/embedder.ts';
import { KernelError } from '../../contracts/error.ts';
import type { Likenesses } from '../../contracts/likeness.ts';
import { dotProduct } from '../../lib/dot-product.ts';

/**
 * How alike other texts are to one and to some of its words. Undefined where the embedder cannot be
 * loaded, and `onFailure` is told why.
 */
export function likenessesTo(
  text: string,
  words: readonly string[],
  embedder: () => Embedder,
  onFailure: (reason: string) => void,
): Likenesses | undefined {
  return orFailure(onFailure, () => {
    const { embed, nearest } = embedder();
    const own = embed(text);
    return { asked: (other) => dotProduct(own, embed(other)), nearest: nearest(words) };
  });
}

/**
 * How alike code is to a question, in the ways that files are ordered by.
 *
 * @param words of the question
 */
export function codeLikenesses(
  question: string,
  words: readonly string[],
  embedder: () => Embedder,
  onFailure: (reason: string) => void,
): Likenesses | undefined {
  return orFailure(onFailure, () => {
    const { embed, embedCode, nearestInCode } = embedder();
    const asked = embed(question);
    return {
      asked: (code) => dotProduct(asked, embedCode(code)),
      nearest: nearestInCode(words),
    };
  });
}

function orFailure<Made>(onFailure: (reason: string) => void, make: () => Made): Made | undefined {
  try {
    return make();
  } catch (thrown) {
    onFailure(KernelError.from(thrown, 'internal').message);
    return undefined;
  }
}
