import type { Mentions, Reading } from '../contracts/intent.ts';
import type { AnswerShape, AskedWorkspace } from '../contracts/questions.ts';
import { stemWord } from '../lib/text/words.ts';
import type { Draft } from './drafts.ts';
import type { WordBag } from './words/word-bag.ts';

/**
 * A kind of question: how it is read, planned and answered, in one file. Its words stand in its
 * forms and rows, and nowhere else.
 */
export type Kind<Own extends Reading> = {
  /** forms of a whole question, before single words are looked at */
  form?(asked: AskedText): Own | undefined;
  /** rows of words, the most particular first */
  rows?: readonly KindRow[];
  /** forms that say it where neither the forms nor the words of another kind did */
  lateForm?(asked: AskedText): Own | undefined;
  /** what is left where nothing particular was read */
  fallback?(text: string, asks: Asks, workspace: AskedWorkspace): Own | undefined;
  /** the folder that holds what it is about, where the question names none */
  holder?(reading: Own, workspace: AskedWorkspace): string | undefined;
  /** of what a question names, where a person says that it is of this kind */
  named(mentions: Mentions): Own | undefined;
  /** calls of the tools that come along */
  plan(reading: Own, mentions: Mentions): Draft[];
  /** the plan where the first one found nothing; none where that is the answer */
  wider?(reading: Own, on: Beside): Draft[] | undefined;
  /** beside the usual shape */
  shape?(reading: Own, on: Beside & { isWidened: boolean }): Partial<AnswerShape> | undefined;
  /** another kind that is offered beside it, though that one fits nearly every question */
  mayBe?(reading: Own): string | undefined;
  /** the same, of a time alone */
  within?(reading: Own, time: { since?: string; until?: string }): Own | undefined;
  /** constraints that its plan applies; all, where the words themselves are searched */
  applies?(reading: Own): readonly ConstraintKind[] | 'all';
  /** it fits nearly every question, or what a person asks again if it was meant */
  isLoose?: true;
  /** a question is of it whatever it names */
  isOpen?: true;
  /** its plan searches passages by the words of the question */
  searches?: true;
  /** a question may have any words at all; a word of it may be the name of a folder */
  takesAnyWord?: true;
  /** what it names may be any word, and is sure enough */
  trustsGuess?: true;
};

/** What bounds an answer, beside what the question is about. */
export type ConstraintKind =
  | 'time'
  | 'person'
  | 'lines'
  | 'number'
  | 'place'
  | 'files'
  /** a comparison or an exclusion, which no kind applies */
  | 'bound';

export type Beside = {
  mentions: Mentions;
  readings: readonly Reading[];
  /** it is the first of them */
  isFirst: boolean;
};

/** What a question asks for, by the words that it begins with. */
export type Asks = 'todo' | 'list' | 'show' | 'where' | 'how';

/** A question for the forms of kinds. */
export type AskedText = {
  text: string;
  /** without the folder that it is about */
  rest: string;
  /** the first path that may be a file */
  path: string | undefined;
  /** with a plain name in the place of that path: `include/a.h` asks for no includes */
  plain: string;
  /** a folder that it asks about as such */
  told: string | undefined;
  workspace: AskedWorkspace;
};

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
 * It has a word of each group, and no words but these, those of `also` and those that say little.
 * What it names comes on top.
 */
export type KindRow = {
  /** `words` are up to three, which together name one thing */
  names: 'name' | 'two names' | 'file' | 'word' | 'words' | 'nothing';
  all: readonly string[];
  also?: string;
  /** only where no other row fits as well */
  isLast?: true;
  reads(named: Named): Reading | undefined;
};

/** What a project, or one who works with it, does with things that can be listed. */
export const having =
  'has have does do can are exist exists there available supported possible known valid provided provide provides offer offers expose exposes take takes accept accepts define defines declare declares read reads use uses used set need needs support supports enable enables know knows understand throw throws thrown raise raises raised return returns returned emit emits come comes with different various';
export const writing = 'wrote written write author authors authored owns';

export function stems(words: string): string[] {
  return words.split(/\s+/).map((each) => stemWord(each));
}
