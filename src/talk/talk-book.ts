import { randomInt } from 'node:crypto';
import { reasonOf } from '../contracts/error.ts';
import type { Store, TalkRow } from '../contracts/store.ts';
import type { TalkPart } from '../contracts/talk.ts';
import { type Compaction, noCompaction } from '../contracts/talk.ts';
import type { Guard } from '../guard/create-guard.ts';
import type { Clock } from '../lib/ids-clock.ts';
import type { PromptRound, PromptTurn } from '../models/build-prompt.ts';

/** The conversation of a session with a model. */
export type TalkBook = {
  /** the word that marks data in it, the same in every run */
  readonly marker: string;
  /** tools that it was begun with; empty for one that begins */
  readonly tools: readonly string[];
  /** what was asked and answered before this run */
  readonly turns: readonly PromptTurn[];
  /** how it is shown so that it fits */
  readonly compaction: Compaction;
  /** runs that those are of */
  readonly runs: ReadonlySet<string>;
  /** Writes a part down before anything follows from it. */
  keep(part: TalkPart): void;
};

const unknownResult = 'not known: the run ended before this call did';

/**
 * Opens what was kept of a session. A store that cannot be written is a warning, said once: the
 * answer is worth more than its record.
 */
export function openTalk(ports: {
  store: Pick<Store, 'talk' | 'addTalk'>;
  session: string;
  run: string;
  clock: Clock;
  warn(text: string): void;
}): TalkBook {
  const { store, session, run, clock } = ports;
  const rows = store.talk(session);
  const begin = rows.map(({ part }) => part).find((part) => part.kind === 'begin');
  let isBroken = false;
  return {
    marker: begin?.marker ?? newMarker(),
    tools: begin?.tools ?? [],
    turns: turnsOf(rows),
    compaction: compactionOf(rows),
    runs: new Set(rows.map((row) => row.run)),
    keep: (part) => {
      if (isBroken) return;
      try {
        store.addTalk({ session, run, ts: clock.nowMs(), part });
      } catch (thrown) {
        isBroken = true;
        ports.warn(`this conversation cannot be continued later: ${reasonOf(thrown)}`);
      }
    },
  };
}

/** A book that keeps what the guard lets through. */
export function guardedBook(book: TalkBook, guard: Pick<Guard, 'kept'>): TalkBook {
  return {
    ...book,
    keep: (part) => {
      if (part.kind !== 'question') return book.keep(guard.kept(part));
      // Nobody could find words in an image, and its bytes are no text.
      const { images, ...words } = part;
      book.keep({ ...guard.kept(words), ...(images === undefined ? {} : { images }) });
    },
  };
}

const consonants = 'bcdfghjklmnpqrstvwxz';
const vowels = 'aeiou';

/**
 * A word of four syllables, put around each piece of data. A model reads it in some five tokens,
 * where 24 hexadecimal digits take 22. Guessing it gains nothing, because it is taken out of the
 * data.
 */
export function newMarker(): string {
  const syllable = (): string =>
    `${consonants[randomInt(consonants.length)]}${vowels[randomInt(vowels.length)]}`;
  return syllable() + syllable() + syllable() + syllable();
}

function compactionOf(rows: readonly TalkRow[]): Compaction {
  const last = rows.findLast(({ part }) => part.kind === 'compaction')?.part;
  if (last?.kind !== 'compaction') return noCompaction;
  const { kind: _, ...compaction } = last;
  return compaction;
}

/** Questions with what came of each, as far as it was kept. */
function turnsOf(rows: readonly TalkRow[]): PromptTurn[] {
  const turns: { run: string; question: string; parts: TalkPart[] }[] = [];
  for (const { run, part } of rows) {
    if (part.kind === 'question') turns.push({ run, question: part.text, parts: [part] });
    else turns.at(-1)?.parts.push(part);
  }
  return turns.map(({ run, question, parts }): PromptTurn => {
    const [first] = parts;
    const shown = first?.kind === 'question' ? first : { memory: [], observations: [] };
    const { rounds, answer } = roundsOf(parts);
    return {
      run,
      question,
      ...('images' in shown ? { images: shown.images } : {}),
      memory: shown.memory,
      observations: shown.observations,
      rounds,
      answer,
    };
  });
}

function roundsOf(parts: readonly TalkPart[]): Pick<PromptTurn, 'rounds' | 'answer'> {
  const results = new Map(
    parts.flatMap((part) => (part.kind === 'result' ? [[part.call, part] as const] : [])),
  );
  const rounds: PromptRound[] = [];
  let answer: string | undefined;
  for (const part of parts) {
    if (part.kind === 'stop') answer ??= `[no answer: ${part.stop}]`;
    if (part.kind !== 'reply') continue;
    const { text, calls } = part;
    if (calls.length === 0) answer = text;
    else {
      rounds.push({
        text,
        calls,
        results: calls.map(({ id, name }) => {
          const kept = results.get(id);
          if (kept !== undefined) {
            return { ...kept, id };
          }
          const source = `tool ${name}`;
          return { id, source, text: unknownResult, isError: true, isOurs: true };
        }),
      });
    }
  }
  return { rounds, answer: answer ?? '[no answer: the run was cut off]' };
}
