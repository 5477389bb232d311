import type { Compaction, TalkPlace } from '../contracts/talk.ts';
import type { PromptRound, PromptTurn } from './build-prompt.ts';

/** The last rounds stay whole: the model works with them. */
const keptRounds = 2;
/** A shorter text is kept, since its replacement would take as much room. */
const minResultBytes = 400;
const maxInputCharacters = 160;
/** The most ids that a summary names; the session has the others. */
const maxIds = 20;

export type TalkParts = {
  /** of earlier runs */
  turns: readonly PromptTurn[];
  /** of the present run */
  rounds: readonly PromptRound[];
};

/**
 * Applies a compaction to a conversation: results become one line each, which says how to read them
 * again; rounds become their calls alone; a summary replaces turns. The same compaction gives the
 * same bytes.
 */
export function applyCompaction(talk: TalkParts, compaction: Compaction, run: string): TalkParts {
  const { results, calls, summary } = compaction;
  const shorten = (round: PromptRound, place: TalkPlace): PromptRound => {
    if (isBefore(place, calls)) return oneLineRound(shortRound(round));
    return isBefore(place, results) ? shortRound(round) : round;
  };
  const turns = talk.turns.map((turn) => ({
    ...turn,
    rounds: turn.rounds.map((round, at) => shorten(round, { run: turn.run, rounds: at })),
  }));
  const rounds = talk.rounds.map((round, at) => shorten(round, { run, rounds: at }));
  if (summary === undefined) return { turns, rounds };
  const isSummed = (turn: PromptTurn) => turn.run <= summary.through;
  const summed = turns.filter(isSummed);
  if (summed.length === 0) return { turns, rounds };
  return {
    turns: [summaryTurn(talk.turns.filter(isSummed), summary), ...turns.slice(summed.length)],
    rounds,
  };
}

function isBefore(place: TalkPlace, end: TalkPlace): boolean {
  return place.run < end.run || (place.run === end.run && place.rounds < end.rounds);
}

/** The turn that replaces summed-up turns: the summary as the model's words, with their ids. */
function summaryTurn(
  turns: readonly PromptTurn[],
  { text, model }: NonNullable<Compaction['summary']>,
): PromptTurn {
  const runs = turns.map(({ run }) => run);
  const outputs = turns.flatMap(({ rounds }) => rounds.flatMap(outputsOf));
  const lines = [
    `The ${runs.length} questions before this took too much room. Sum them up for yourself.`,
    `Their runs: ${named(runs)}.`,
    ...(outputs.length === 0
      ? []
      : [
          `Long outputs that are kept: ${named([...new Set(outputs)])}; read one with shell.output.`,
        ]),
  ];
  return {
    run: runs.at(-1) ?? '',
    ...{ question: lines.join(' '), memory: [], observations: [], rounds: [] },
    answer: `[Summary in the words of ${model}]\n${text}`,
  };
}

function named(ids: readonly string[]): string {
  const more = ids.length > maxIds ? ` and ${ids.length - maxIds} before` : '';
  return ids.slice(-maxIds).join(', ') + more;
}

function outputsOf({ calls, results }: PromptRound): string[] {
  return results.flatMap(({ text }, at) => {
    const id = calls[at]?.name.startsWith('shell.') ? keptOutputIn(text) : undefined;
    return id === undefined ? [] : [id];
  });
}

/**
 * Makes a conversation shorter until it fits: the oldest results first, then the oldest rounds.
 * Words and the newest rounds stay. Parts that are short already stay short, so that the beginning
 * of the conversation does not change until the next compaction.
 *
 * @param run in progress
 * @param fits whether a conversation is short enough; true for every shorter one too
 */
export function compactTalk(
  talk: TalkParts,
  before: Compaction,
  run: string,
  fits: (talk: TalkParts) => boolean,
): Compaction {
  const places = placesOf(talk, run);
  let made = before;
  for (const pass of ['results', 'calls'] as const) {
    const first = places.filter((place) => isBefore(place, before[pass])).length;
    const isEnough = (count: number): boolean => {
      made = { ...made, [pass]: count === 0 ? before[pass] : behind(places[count - 1]) };
      return fits(applyCompaction(talk, made, run));
    };
    const count = leastThat(first, places.length, isEnough);
    if (isEnough(count)) return made;
  }
  return made;
}

/** Everything as short as it can be. */
export function compactAll(talk: TalkParts, before: Compaction, run: string): Compaction {
  const end = placesOf(talk, run).at(-1);
  return end === undefined ? before : { ...before, results: behind(end), calls: behind(end) };
}

function placesOf({ turns, rounds }: TalkParts, run: string): TalkPlace[] {
  return [
    ...turns.flatMap((turn) => turn.rounds.map((_, at) => ({ run: turn.run, rounds: at }))),
    ...rounds.slice(0, -keptRounds).map((_, at) => ({ run, rounds: at })),
  ];
}

function behind(place: TalkPlace | undefined): TalkPlace {
  return place === undefined
    ? { run: '', rounds: 0 }
    : { run: place.run, rounds: place.rounds + 1 };
}

/** The least count from `low` to `high` that is enough, else `high`. */
function leastThat(low: number, high: number, isEnough: (count: number) => boolean): number {
  let least = low;
  let most = high;
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    if (isEnough(middle)) most = middle;
    else least = middle + 1;
  }
  return most;
}

/** Rounds that differ between two forms of a conversation. */
export function roundsShortened(before: TalkParts, after: TalkParts): number {
  const listOf = ({ turns, rounds }: TalkParts) => [
    ...turns.flatMap((turn) => turn.rounds),
    ...rounds,
  ];
  const old = listOf(before);
  const textOf = (round: PromptRound | undefined) =>
    round?.results.reduce((sum, { text }) => sum + text.length, 0);
  return listOf(after).filter((round, at) => textOf(round) !== textOf(old[at])).length;
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
  return { ...withoutRaw(round), text: '', results };
}

/** The provider's own form belongs to the complete round. */
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
  const output = call.name.startsWith('shell.') ? keptOutputIn(text) : undefined;
  const again = output === undefined ? `${call.name} ${shown}` : `shell.output {"id":"${output}"}`;
  return `[${bytes} bytes left out to save room; read them again with ${again}]`;
}

/** The id of a kept long output, which a program's result names. */
function keptOutputIn(text: string): string | undefined {
  return /\bkept\b[^}]{0,200}?\b([0-9a-f]{64}|[0-9a-f]{16})\b/.exec(text)?.[1];
}
