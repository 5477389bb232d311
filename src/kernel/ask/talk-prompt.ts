import { collectFindings } from '../../ask/collect-evidence.ts';
import type { Evidence } from '../../contracts/evidence.ts';
import { markUntrusted } from '../../guard/mark-untrusted.ts';
import { placeOf } from '../../lib/text/passage-text.ts';
import {
  buildPrompt,
  type Observation,
  type Prompt,
  type PromptRound,
  type PromptTurn,
} from '../../models/build-prompt.ts';
import { compactTalk } from '../../models/compact-talk.ts';
import { describeMemory } from '../../models/describe-memory.ts';
import type { AskPorts } from './ask-ports.ts';
import type { RepliesOptions, TalkProgress } from './talk-options.ts';

/** From this share of what a model reads a conversation is made shorter, down to the other one. */
const crowded = 0.8;
export const roomy = 0.4;

/**
 * The next prompt of a conversation.
 *
 * @param wording the model may only word an answer now
 * @param notice words of the kernel at its end
 * @param limit tokens that it may have
 */
export type TalkPrompt = (
  wording: boolean,
  notice: string | undefined,
  limit: number,
) => { prompt: Prompt; shortened: number };

/** Prompts that grow at their end, and are made shorter when there is no room. */
export function createTalkPrompt(options: RepliesOptions): TalkPrompt {
  const { model, ports, guard, rounds, book, progress } = options;
  const { reach } = model;
  const nowMs = ports.clock.nowMs();
  const counted = new Map<string, number>();
  const countTokens = (text: string): number => {
    const known = counted.get(text);
    if (known !== undefined) return known;
    const tokens = model.countTokens(text);
    counted.set(text, tokens);
    return tokens;
  };
  let turns: readonly PromptTurn[] = book.turns;
  let isQuestionKept = false;

  const keepQuestion = (observations: readonly Observation[]): void => {
    if (isQuestionKept) return;
    isQuestionKept = true;
    const memory = options.memory.map((hit) => ({
      source: describeMemory(hit, nowMs),
      text: hit.text,
    }));
    book.keep({ kind: 'question', text: options.question, memory, observations });
    for (const { source } of [...memory, ...observations]) ports.noteRead(source);
  };

  const render = (
    wording: boolean,
    notice: string | undefined,
    budgetTokens: number,
    talk: { turns: readonly PromptTurn[]; rounds: readonly PromptRound[] },
  ): Prompt => {
    const { words, data } = ports.project;
    const observations = [
      ...data,
      ...ports.given.map(observed),
      ...(wording ? observationsOf(progress, ports) : []),
    ];
    // What a wording model reads is all there is of the question.
    if (!wording || options.role === 'word') keepQuestion(wording ? [] : observations);
    return buildPrompt(
      {
        role: wording ? 'word' : 'choose',
        question: options.question,
        earlier: talk.turns,
        ...(words === '' ? {} : { projectWords: words }),
        ...(notice === undefined ? {} : { notice }),
        tools: wording ? [] : options.tools(),
        observations,
        memory: options.memory,
        rounds: wording ? [] : talk.rounds,
        toolChoice:
          notice !== undefined
            ? 'none'
            : reach.mustCall && rounds.length === 0
              ? 'required'
              : 'auto',
        nativeTools: reach.nativeTools,
        budgetTokens,
        countTokens,
        nonce: book.marker,
        nowMs,
      },
      { mark: markUntrusted, own: guard.own, outside: guard.outside },
    );
  };

  return (wording, notice, limit) => {
    const whole = Number.POSITIVE_INFINITY;
    // A model that reads this little is given the best of it, and not the beginning.
    if (reach.mustCall) {
      return { prompt: render(wording, notice, limit, { turns, rounds }), shortened: 0 };
    }
    let shortened = 0;
    let prompt = render(wording, notice, whole, { turns, rounds });
    if (prompt.tokens > limit * crowded) {
      const compacted = compactTalk(
        { turns, rounds },
        (talk) => render(wording, notice, whole, talk).tokens <= limit * roomy,
      );
      turns = compacted.turns;
      rounds.splice(0, rounds.length, ...compacted.rounds);
      shortened = compacted.shortened;
      prompt = render(wording, notice, whole, { turns, rounds });
    }
    if (prompt.tokens > limit) prompt = render(wording, notice, limit, { turns, rounds });
    return { prompt, shortened };
  };
}

/** Evidence piece by piece, then what is not lines of a file. */
function observationsOf({ results }: TalkProgress, ports: AskPorts): Observation[] {
  const { evidence, listings } = collectFindings(results, ports);
  return [
    ...evidence.map(observed),
    ...listings.map(({ title, text }) => ({ source: title, text })),
  ];
}

function observed(piece: Evidence): Observation {
  return { source: placeOf(piece), text: piece.text };
}
