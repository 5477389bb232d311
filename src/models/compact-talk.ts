import type { PromptRound, PromptTurn } from './build-prompt.ts';

/** Rounds at the end that stay as they are: what the model works with. */
const keptRounds = 2;
/** A text this short takes no less room than what would stand in its place. */
const minResultBytes = 400;
const maxInputCharacters = 160;

/** A conversation in which each part that was made shorter says how it is read again. */
export type CompactedTalk = {
  turns: readonly PromptTurn[];
  rounds: readonly PromptRound[];
  /** results and rounds that are shorter than they were */
  shortened: number;
};

/**
 * Makes a conversation shorter until it fits: the oldest results first, each to a line that says
 * how to read it again, then the oldest rounds to a line for each call. Words, and the newest
 * rounds, stay. What was made shorter before is left as it is, so that the beginning of the
 * conversation is the same until the next time.
 *
 * @param fits whether a conversation is short enough
 */
export function compactTalk(
  talk: { turns: readonly PromptTurn[]; rounds: readonly PromptRound[] },
  fits: (talk: { turns: readonly PromptTurn[]; rounds: readonly PromptRound[] }) => boolean,
): CompactedTalk {
  const turns = talk.turns.map((turn) => ({ ...turn, rounds: [...turn.rounds] }));
  const rounds = [...talk.rounds];
  const lists = [...turns.map((turn) => turn.rounds), rounds];
  let shortened = 0;
  for (const shorten of [shortRound, oneLineRound]) {
    for (const list of lists) {
      const end = list === rounds ? list.length - keptRounds : list.length;
      for (let at = 0; at < end; at += 1) {
        if (fits({ turns, rounds })) return { turns, rounds, shortened };
        const before = list[at] as PromptRound;
        const after = shorten(before);
        if (after === before) continue;
        list[at] = after;
        shortened += 1;
      }
    }
  }
  return { turns, rounds, shortened };
}

/** Results of a round as a line each. */
function shortRound(round: PromptRound): PromptRound {
  const isLong = ({ text }: { text: string }) => Buffer.byteLength(text) > minResultBytes;
  if (!round.results.some(isLong)) return round;
  return {
    ...withoutRaw(round),
    results: round.results.map((result, index) =>
      isLong(result)
        ? { ...result, isOurs: true, text: leftOut(round.calls[index], result) }
        : result,
    ),
  };
}

/** A whole round as its calls, each with how it ended. */
function oneLineRound(round: PromptRound): PromptRound {
  const results = round.results.map((result) => ({
    ...result,
    isOurs: true,
    text: result.isError ? 'failed; left out to save room' : 'left out to save room',
  }));
  const isSame = results.every(({ text }, index) => text === round.results[index]?.text);
  return isSame ? round : { ...withoutRaw(round), text: '', results };
}

/** What the provider made of a round belongs to all of it. */
function withoutRaw({ raw: _, ...round }: PromptRound): PromptRound {
  return round;
}

function leftOut(
  call: PromptRound['calls'][number] | undefined,
  { text }: { text: string },
): string {
  const bytes = Buffer.byteLength(text);
  if (call === undefined) return `[${bytes} bytes left out to save room]`;
  const input = JSON.stringify(call.input);
  const shown = input.length > maxInputCharacters ? '…' : input;
  const output = /\bkept\b[^}]{0,200}?\b([0-9a-f]{64}|[0-9a-f]{16})\b/.exec(text)?.[1];
  const again =
    call.name.startsWith('shell.') && output !== undefined
      ? `shell.output {"id":"${output}"}`
      : `${call.name} ${shown}`;
  return `[${bytes} bytes left out to save room; read them again with ${again}]`;
}
