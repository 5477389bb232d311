import type { JsonObject } from './tool.ts';

/**
 * The meaning of a person's words, read once. Everything behind the router uses this value and
 * never the words again.
 */
export type Intent = CallIntent | NoteIntent | AskIntent;

/** A call of a tool, as it was typed. */
export type CallIntent = {
  kind: 'call';
  tool: string;
  input: JsonObject;
  mentions: Mentions;
  /** of an order in a person's words: what the answer shows, for its head */
  says?: string;
};

/** An act of memory: something to keep, to end, or all that was kept. */
export type NoteIntent = {
  kind: 'note';
  /** `end`: what was mentioned last, or `about`, holds no longer; `list`: all that was told is shown */
  act: 'tell' | 'end' | 'list';
  as: 'fact' | 'decision' | 'preference';
  text: string;
  /** where a person said that it is to hold */
  scope?: 'person' | 'team';
  /** what is to hold no longer, in a person's words */
  about?: string;
  /** all of it */
  isAll?: true;
  /** what it is where no fact is meant */
  otherwise: AskIntent;
};

/** A question: what it names, and what it wants, the most particular reading first. */
export type AskIntent<Of extends Reading = Reading> = {
  kind: 'ask';
  /** as it was asked, without blanks at its ends */
  question: string;
  mentions: Mentions;
  /** it begins as a correction does: what it may put right, which is offered and not kept by itself */
  correction?: string;
  /** it asks nothing */
  isStatement?: true;
  /** the time that it asks about, and the words beside it: memory tells what held then */
  past?: { fromMs: number; toMs: number; beside: string };
  /** what the words ask for and no reading applies, as the person wrote it */
  leftOut?: readonly string[];
  /** Never empty. The last one is always possible: it only needs the tools that come along. */
  readings: readonly [Of, ...Of[]];
};

/** The names in the words of a question, in the order of the question. */
export type Mentions = {
  /** the question, with paths below the workspace instead of absolute ones */
  text: string;
  /** words with a meaning of their own, in lower case */
  words: readonly string[];
  /** these without numbers and names of files, of which only the endings stay: what is to be done */
  goal: readonly string[];
  paths: readonly string[];
  /** the folder that the question is about; every search stays below it */
  folder?: string;
  /** the question as it was asked, in another language than English: documents may be in that */
  own?: string;
  /** words of another language than English that were not read */
  unread?: readonly string[];
  /** names of code */
  names: readonly string[];
  url: string | undefined;
  quoted: string | undefined;
  number: number | undefined;
  /** it asks for a change of files, or for a commit */
  wantsChange: boolean;
  wantsCommit: boolean;
  /** it asks to see something, which is then shown whole */
  wantsWhole: boolean;
  /** it asks what is supported, which documents say */
  wantsSupported: boolean;
};

/**
 * One way to understand a question. What else it says is known to its kind alone (a file in
 * `src/questions/kinds/`); `name` and `path` are what it is about.
 */
export type Reading = { kind: string; name?: string; path?: string };
