import type { Mentions } from '../contracts/intent.ts';
import { rankPassagesTool } from '../contracts/kernel-tools.ts';
import type { InputRef, StepInput } from '../contracts/plan.ts';

/** A step before it has an id; `needs` follows from the references in its input. */
export type Draft = { tool: string; input: StepInput };

/** Lines of a tree that fit on a screen. */
export const screenLines = 20;

export function definitionOf(name: string, limit: number, mentions: Mentions): Draft {
  return { tool: 'search.definition', input: { name, limit, ...below(mentions) } };
}

/** Where a text stands as it is written. */
export function placesOf(pattern: string, limit: number, mentions: Mentions): Draft {
  return { tool: 'search.grep', input: { pattern, literal: true, limit, ...below(mentions) } };
}

export function inDocuments(mentions: Mentions, limit: number): Draft {
  const input = { question: mentions.text, documents: true, limit, ...below(mentions) };
  return { tool: 'search.passages', input };
}

export const namesTool = 'search.names';

/** More words are about more than what one of them names, and make up for one that is misspelled. */
const wordsOfNames = 5;

/** What the words of a short question mean in the workspace. */
export function namesIn(mentions: Mentions): Draft[] {
  const isShort = mentions.words.length <= wordsOfNames;
  const input = { text: mentions.text, ...below(mentions) };
  return isShort ? [{ tool: namesTool, input }] : [];
}

/** The folder that the question is about bounds every search. */
export function below({ folder }: Mentions): { path?: string } {
  return folder === undefined ? {} : { path: folder };
}

/**
 * A search and the ranking of what it found, which takes the search's name for that: the lines
 * themselves would fill the journal.
 *
 * @param search id of the search; the ranking is the step behind it
 */
export function rankedPassages(search: string, mentions: Mentions): Draft[] {
  const question = [mentions.text, mentions.own].filter(Boolean).join(' ');
  return [
    { tool: 'search.passages', input: { question, regions: true, ...below(mentions) } },
    { tool: rankPassagesTool.name, input: { question, found: from(search, '/found') } },
  ];
}

/** The definition around a row that has a path and a line. */
export function readAt(step: string, row: string): Draft {
  return {
    tool: 'file.read',
    input: { path: from(step, `${row}/path`), around: from(step, `${row}/line`) },
  };
}

export function from(step: string, path: string): InputRef {
  return { $from: step, path };
}

/** What is made of the name that a question is about, or of its only word. */
export function nameOf<Made>(
  { names, words }: Mentions,
  make: (name: string) => Made,
): Made | undefined {
  const name = names[0] ?? (words.length === 1 ? words[0] : undefined);
  return name === undefined ? undefined : make(name);
}

export function pathOf<Made>(
  { paths: [path] }: Mentions,
  make: (path: string) => Made,
): Made | undefined {
  return path === undefined ? undefined : make(path);
}
