import type { Intent, Reading } from '../contracts/intent.ts';

/** How an answer without a model is laid out. */
export type AnswerShape = {
  /** first pieces that are shown whole from their first line on, and lines of each */
  whole: { pieces: number; lines: number };
  /** pieces of the first result that lead, whatever scores the others have */
  leads: number;
  /** rows of a line each, in place of pieces of text */
  isList: boolean;
};

const usual: AnswerShape = { whole: { pieces: 0, lines: 0 }, leads: 0, isList: false };
const shown: AnswerShape = { ...usual, whole: { pieces: 1, lines: 60 } };
/** Two fit on one screen. */
const beside: AnswerShape = { ...usual, whole: { pieces: 2, lines: 9 } };
const list: AnswerShape = { ...usual, isList: true };

const shapes: Readonly<Partial<Record<Reading['kind'], AnswerShape>>> = {
  definition: shown,
  file: shown,
  changes: shown,
  about: { ...usual, whole: { pieces: 1, lines: 14 } },
  comparison: beside,
  guide: { ...usual, leads: 2 },
  collection: list,
  tests: list,
};

/** By the first reading of a question; a plan that had to look wider has the usual one. */
export function shapeOf(intent: Intent, options: { isWidened: boolean }): AnswerShape {
  if (intent.kind !== 'ask' || options.isWidened) return usual;
  const [reading] = intent.readings;
  return shapes[reading.kind] ?? (intent.mentions.wantsWhole ? shown : usual);
}
