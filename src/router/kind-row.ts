import type { HistoryReading, ManifestTopic, Reading } from '../contracts/intent.ts';
import { stemWord } from '../lib/text/words.ts';
import type { WordBag } from './word-bag.ts';

/** What a question of a kind names, beside the words of that kind. */
export type Named = {
  name: string;
  isWord: boolean;
  second: string;
  file: string;
  /** all that is named, in order, as it is written */
  words: readonly string[];
  bag: WordBag;
};

/**
 * A kind of question: it has a word of each group, and no words but these, those of `also` and
 * those that say little. What it names comes on top.
 */
export type KindRow = {
  /** `words` are up to three, which together name one thing */
  names: 'name' | 'two names' | 'file' | 'word' | 'words' | 'nothing';
  all: readonly string[];
  also?: string;
  reads(named: Named): Reading | undefined;
};

export const changing = 'changed modified edited touched updated history blame commit commits log';
export const writing = 'wrote written write author authors authored owns';
/** What a project, or one who works with it, does with things that can be listed. */
export const having =
  'has have does do can are exist exists there available supported possible known valid provided provide provides offer offers expose exposes take takes accept accepts define defines declare declares read reads use uses used set need needs support supports enable enables know knows understand throw throws thrown raise raises raised return returns returned emit emits come comes with different various';
export const engines =
  'node nodejs node.js python go golang rust java ruby php deno bun elixir erlang otp swift scala engine engines runtime toolchain msrv jdk interpreter compiler';

export function stems(words: string): string[] {
  return words.split(/\s+/).map((each) => stemWord(each));
}

export function manifest(about: ManifestTopic): (named: Pick<Named, 'name'>) => Reading {
  return ({ name }) => ({ kind: 'manifest', about, ...(name === '' ? {} : { name }) });
}

export function log(reading: Partial<HistoryReading>): Reading {
  return { kind: 'history', ...reading } as Reading;
}

/** It speaks of the engine that a project runs on. */
export function isOfEngine({ all }: WordBag): boolean {
  return stems(engines).some((each) => all.has(each));
}

/** Limits it to the language that it names: a workflow may need others as well. */
export function engineOf({ question }: WordBag): Reading {
  const named =
    /\b(?:node|python|go|rust|java|ruby|php|deno|bun|elixir|erlang|otp|swift|scala)(?=js\b|\.js\b|lang\b|\b)/i.exec(
      question,
    );
  return manifest('engine')({ name: named?.[0].toLowerCase() ?? '' });
}
