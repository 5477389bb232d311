import { KernelError } from '../../contracts/error.ts';
import type { UnstampedEvent } from '../../contracts/events.ts';
import { faultOf } from '../../contracts/talk.ts';
import type { PromptTurn } from '../../models/build-prompt.ts';
import { createReadReply } from './read-reply.ts';
import { type RepliesOptions, type Reply, tell } from './talk-options.ts';
import type { TalkPrompt } from './talk-prompt.ts';

/** Words that a summary may have. */
const maxSummaryTokens = 1_024;

/**
 * Has the model sum up old turns, within the budget of the question.
 *
 * @returns whether there is a summary now; without one the oldest turns are left out
 */
export type SumUp = (
  turns: readonly PromptTurn[],
  limit: number,
) => AsyncGenerator<UnstampedEvent, boolean, undefined>;

export function createSumUp(
  options: RepliesOptions,
  prompts: Pick<TalkPrompt, 'summing' | 'sum'>,
): SumUp {
  const { budget, ports, guard, model } = options;
  // None of it is an answer to the person.
  const read = createReadReply({ ...options, progress: { results: [], said: '' } });
  let isRefused = false;

  return async function* (turns, limit) {
    if (isRefused) return false;
    const { tokens, leftOut: _, ...request } = prompts.summing(turns, limit);
    yield* tell(guard);
    const maxOutputTokens = Math.min(maxSummaryTokens, budget.takeRound(tokens));
    const part: Reply = { text: '', calls: [], stop: 'end', maxTokens: maxOutputTokens };
    try {
      for await (const event of read({ ...request, maxOutputTokens }, part)) {
        if (event.type !== 'text') yield event;
      }
    } catch (thrown) {
      // A question is worth more than the summary of those before it.
      if (faultOf(thrown) === undefined) throw thrown;
      isRefused = true;
      ports.warn(
        `earlier questions are left out, not summed up: ${KernelError.from(thrown, 'unavailable').message}`,
      );
      return false;
    }
    const text = part.text.trim();
    isRefused = text === '';
    if (isRefused) return false;
    prompts.sum(turns, text);
    const which = turns.length === 1 ? 'question is' : 'questions are';
    ports.warn(`${turns.length} earlier ${which} summed up by ${model.name} from here on`);
    return true;
  };
}
