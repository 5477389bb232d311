import type { PairModel } from '../../contracts/embedder.ts';
import type { MemoryReranker } from '../../contracts/memory.ts';
import { untilDeadline, untilWarm } from './until-deadline.ts';

const candidates = 20;
const maxTokens = 128;
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
