import type { Events } from '../contracts/agent.ts';
import { KernelError } from '../contracts/error.ts';
import type { ModelMessage, ModelRequest } from '../contracts/model.ts';
import { faultOf } from '../contracts/talk.ts';
import { createKnowSecrets, createReadReply, type SentPrompt } from './read-reply.ts';
import { createSumUp } from './shorten-talk.ts';
import { type RepliesOptions, type Reply, tell } from './talk-ports.ts';
import { createTalkPrompt, roomy } from './talk-prompt.ts';

/** Pauses of a provider in one reply. */
const maxPauses = 5;

const callAgain = (why: string): string =>
  `${why}. Call the tool again, whole and alone, or answer in words.`;
/** Prompts below this length are never refused for being too long. */
const longPrompt = 2_000;
/** What servers answer to a prompt that is too long, in whatever words. */
const refusals: ReadonlySet<number | undefined> = new Set([400, 413, 422]);

const goOn = 'Your answer was cut off. Go on exactly where it stopped, and repeat nothing.';

/** Asks a model for its next reply, as often as it takes. */
export type Replies = {
  next(options: { wording: boolean; notice: string | undefined }): Events<Reply>;
};

export function createReplies(options: RepliesOptions): Replies {
  const { ports, guard, book, turn } = options;
  const { reach } = options.model;
  // A server may say that it takes less.
  let { promptTokens, answerTokens } = reach;
  const prompts = createTalkPrompt(options);
  const read = createReadReply(options);
  const sumUp = createSumUp(options, prompts);
  const knowSecrets = createKnowSecrets(options);

  const next: Replies['next'] = async function* ({ wording, notice }) {
    const reply: Reply = { text: '', calls: [], stop: 'end', maxTokens: 0 };
    let behind: ModelMessage[] = [];
    let limit = promptTokens;
    let tooLong: unknown;
    let said = '';
    const tries = {
      empty: 1,
      halfCall: 1,
      overflow: 1,
      goOn: reach.mustCall ? 0 : 1,
      paused: maxPauses,
    };
    await knowSecrets();
    /** @returns the words before it */
    const take = (part: Reply): string => {
      const before = part.dropsAll === true ? '' : reply.text;
      if (part.dropsAll === true) said = '';
      reply.text = before + part.text;
      return before;
    };
    for (;;) {
      const made = shorter(() => prompts.next(wording, notice, limit), tooLong);
      const isSummed = made.toSum.length > 0 && (yield* sumUp(made.toSum, limit));
      const { prompt } = isSummed ? prompts.next(wording, notice, limit) : made;
      const { shortened } = made;
      yield* tell(guard);
      const covered = turn.budget.takeRound(prompt.tokens);
      reply.maxTokens = Math.min(answerTokens, covered);
      const { system, messages, tools, toolChoice, question } = prompt;
      const request: ModelRequest = {
        question,
        system,
        messages: [...messages, ...behind],
        tools,
        toolChoice,
        maxOutputTokens: reply.maxTokens,
        ...(tools.length > 0 && reach.mustCall ? { values: { paths: options.paths() } } : {}),
      };
      const { tokens, leftOut } = prompt;
      const sent: SentPrompt = {
        ...{ tokens, leftOut, shortened },
        ...{ messages: request.messages.length, tools: tools.length },
      };
      book.keep({ kind: 'prompt', ...sent });
      if (shortened > 0) {
        ports.say.warn(
          `the conversation was made shorter to fit: ${shortened} older results or rounds`,
        );
      }
      const part: Reply = { text: '', calls: [], stop: 'end', maxTokens: reply.maxTokens };
      try {
        yield* read(request, part, sent);
      } catch (thrown) {
        const before = take(part);
        const fault = faultOf(thrown);
        const kind = fault?.kind;
        if (kind === 'half-call' && tries.halfCall > 0) {
          tries.halfCall -= 1;
          reply.text = before;
          turn.said = before;
          if (part.text !== '') yield { type: 'text', delta: before, replaces: true };
          const { message } = KernelError.from(thrown, 'unavailable');
          behind = [
            { role: 'assistant', text: `${guard.own(before)}[a call that cannot be read]` },
            { role: 'user', text: callAgain(message) },
          ];
          continue;
        }
        if (kind === 'empty' && reply.text === '' && tries.empty > 0) {
          tries.empty -= 1;
          continue;
        }
        const isLong =
          kind === 'overflow' ||
          (kind === 'refused' && refusals.has(fault?.status) && prompt.tokens > longPrompt);
        if (isLong && reply.text === '' && tries.overflow > 0) {
          tries.overflow -= 1;
          tooLong = thrown;
          const most = fault?.limitTokens ?? Number.POSITIVE_INFINITY;
          answerTokens = Math.min(answerTokens, Math.floor(most / 4));
          promptTokens = Math.min(promptTokens, most - answerTokens);
          limit = Math.min(promptTokens, Math.floor(Math.min(limit, prompt.tokens) * roomy));
          continue;
        }
        // A refused or endless answer would come again, and so would half a call.
        const mayGoOn = kind !== undefined && kind !== 'refused' && kind !== 'half-call';
        if (part.text.trim() !== '' && mayGoOn && tries.goOn > 0) {
          tries.goOn -= 1;
          ports.say.warn(
            `${KernelError.from(thrown, 'unavailable').message}; it is asked to go on`,
          );
          said += part.text;
          behind = continued(said);
          continue;
        }
        throw thrown;
      }
      take(part);
      reply.calls.push(...part.calls);
      reply.stop = part.stop;
      if (part.by !== undefined) reply.by = part.by;
      if (part.stop === 'paused' && tries.paused > 0) {
        tries.paused -= 1;
        behind = [...behind, pausedMessage(part)];
        continue;
      }
      const isCut = part.stop === 'length' && part.calls.length === 0 && part.text.trim() !== '';
      if (isCut && tries.goOn > 0) {
        tries.goOn -= 1;
        said += part.text;
        behind = continued(said);
        continue;
      }
      if (part.raw !== undefined && behind.length === 0) reply.raw = part.raw;
      return reply;
    }
  };

  function continued(text: string): ModelMessage[] {
    return [
      { role: 'assistant', text: guard.own(text) },
      { role: 'user', text: goOn },
    ];
  }

  return { next };
}

/** @param refused the error that asks for a shorter prompt; it tells more than "no room" */
function shorter<Made>(make: () => Made, refused: unknown): Made {
  try {
    return make();
  } catch (thrown) {
    throw refused ?? thrown;
  }
}

function pausedMessage({ text, raw }: Reply): ModelMessage {
  return { role: 'assistant', text, ...(raw === undefined ? {} : { raw }) };
}
