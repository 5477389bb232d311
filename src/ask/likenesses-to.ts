import type { ToolFacts } from '../contracts/agent.ts';
import type { Embedder, Likenesses } from '../contracts/embedder.ts';
import { KernelError } from '../contracts/error.ts';
import type { Intent } from '../contracts/intent.ts';
import { memoize, memoizeSome, once } from '../lib/memo.ts';
import { dotProduct } from '../lib/numbers.ts';

/** Vectors that are kept, a kilobyte each. */
const maxTexts = 4096;

/**
 * How alike other texts are to one and to some of its words. The last ones are kept, since tools
 * are compared for each reading of a question. Undefined when the embedder cannot be loaded;
 * `onFailure` gets the reason.
 */
export function createLikenesses(
  embedder: () => Embedder,
  onFailure: (reason: string) => void,
): (text: string, words: readonly string[]) => Likenesses | undefined {
  // A tool has the same words for every goal, until its plugin changes.
  const vectorOf = memoizeSome((other: string) => embedder().embed(other), maxTexts);
  let last: { key: string; likenesses: Likenesses | undefined } | undefined;
  return (text, words) => {
    const key = JSON.stringify([text, words]);
    if (last?.key !== key) {
      const likenesses = orFailure(onFailure, () =>
        likenessesTo(text, words, { nearest: embedder().nearest, embed: vectorOf }),
      );
      last = { key, likenesses };
    }
    return last.likenesses;
  };
}

function likenessesTo(
  text: string,
  words: readonly string[],
  embedder: Pick<Embedder, 'embed' | 'nearest'>,
): Likenesses {
  const { embed, nearest } = embedder;
  const own = once(() => embed(text));
  return {
    asked: memoize((other: string) => dotProduct(own(), embed(other))),
    nearest: memoize(nearest(words)),
  };
}

/** How alike tools are to what an intent wants done. */
export function likenessesOf(
  intent: Intent,
  likenessesTo: ToolFacts['likenessesTo'],
): (() => Likenesses | undefined) | undefined {
  if (intent.kind !== 'ask') return undefined;
  const { text, goal } = intent.mentions;
  return () => likenessesTo(text, goal);
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
