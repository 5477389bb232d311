import type { SentenceModel, TokenStates, VectorCache } from '../../contracts/embedder.ts';
import type { MemoryReranker } from '../../contracts/memory.ts';
import { textKey } from '../texts.ts';
import { decodeTokenStates, encodeTokenStates, maxSim, pieceWeights } from './max-sim.ts';
import { untilDeadline, untilWarm } from './until-deadline.ts';

/** Measured: 20 candidates gain twice as much as 10; with 64 tokens abstracts gain nothing. */
const candidates = 20;
const maxTokens = 128;
/** Some 15 to 60 ms of work, after which the deadline is checked. */
const batchTexts = 4;

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
