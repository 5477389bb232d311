import type { Events, Turn } from '../contracts/agent.ts';
import { KernelError } from '../contracts/error.ts';
import type { ChatModel } from '../contracts/model.ts';
import { faultOf } from '../contracts/talk.ts';
import { createGuard } from '../guard/create-guard.ts';
import { counted } from '../lib/text/amounts.ts';
import type { PromptTurn } from '../models/build-prompt.ts';
import { createKnowSecrets, createReadReply } from './read-reply.ts';
import { guardedBook, type TalkBook } from './talk-book.ts';
import { type RepliesOptions, type Reply, type TalkPorts, tell } from './talk-ports.ts';
import { createTalkPrompt, type TalkPrompt } from './talk-prompt.ts';

/** Words that a summary may have. */
const maxSummaryTokens = 1_024;

/**
 * Has the model sum up old turns, within the budget of the question.
 *
 * @returns whether there is a summary now; without one the oldest turns are left out
 */
export type SumUp = (turns: readonly PromptTurn[], limit: number) => Events<boolean>;

export function createSumUp(
  options: RepliesOptions,
  prompts: Pick<TalkPrompt, 'summing' | 'sum'>,
): SumUp {
  const { turn, ports, guard, model } = options;
  // None of it is an answer to the person.
  const read = createReadReply({ ...options, turn: { ...turn, results: [], said: '' } });
  let isRefused = false;

  return async function* (turns, limit) {
    if (isRefused) return false;
    const { tokens, leftOut, ...request } = prompts.summing(turns, limit);
    yield* tell(guard);
    const maxOutputTokens = Math.min(maxSummaryTokens, turn.budget.takeRound(tokens));
    const part: Reply = { text: '', calls: [], stop: 'end', maxTokens: maxOutputTokens };
    const messages = request.messages.length;
    const sent = { tokens, leftOut, shortened: 0, messages, tools: 0 };
    try {
      for await (const event of read({ ...request, maxOutputTokens }, part, sent)) {
        if (event.type === 'usage') yield { ...event, purpose: 'summary' };
        else if (event.type !== 'text') yield event;
      }
    } catch (thrown) {
      // A question is worth more than the summary of those before it.
      if (faultOf(thrown) === undefined) throw thrown;
      isRefused = true;
      ports.say.warn(
        `earlier questions are left out, not summed up: ${KernelError.from(thrown, 'unavailable').message}`,
      );
      return false;
    }
    const text = part.text.trim();
    isRefused = text === '';
    if (isRefused) return false;
    prompts.sum(turns, text);
    const which = turns.length === 1 ? 'question is' : 'questions are';
    ports.say.warn(`${turns.length} earlier ${which} summed up by ${model.name} from here on`);
    return true;
  };
}

/**
 * Shows a conversation to its model in as few words as can be from now on: results as a line each,
 * all but the last question summed up. Nothing that is kept is lost.
 *
 * @returns what came of it
 * @throws {KernelError} `invalid-argument` where there is nothing to make shorter
 */
export async function* shortenTalk(
  book: TalkBook,
  model: ChatModel,
  budget: Turn['budget'],
  ports: TalkPorts,
): Events<string> {
  if (book.turns.length === 0) {
    throw new KernelError('invalid-argument', 'no model was asked in this session yet', {
      hint: 'Ask something first.',
    });
  }
  const { privacy } = ports;
  const guard = createGuard({ remote: model.remote, privacy, question: '' });
  const options: RepliesOptions = {
    ...{ turn: { question: '', budget, results: [], said: '' }, role: 'word', model, ports },
    ...{ rounds: [], memory: [], tools: () => [], paths: () => [] },
    ...{ guard, book: guardedBook(book, guard) },
  };
  await createKnowSecrets(options)();
  const prompts = createTalkPrompt(options);
  const before = prompts.tokensBefore();
  const turns = prompts.shorten();
  if (turns.length > 0) yield* createSumUp(options, prompts)(turns, model.reach.promptTokens);
  const after = prompts.tokensBefore();
  return `${counted(book.turns.length, 'question')} took ${before} tokens to send again, now ${after}.`;
}
