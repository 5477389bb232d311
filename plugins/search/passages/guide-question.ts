import type { Question } from './parse-question.ts';
import { stemWord } from './stem-word.ts';
import { tuning } from './tuning.ts';

const guide = /\bhow (?:do|can|should|would|could|must) (?:I|you|we|one)\s+(\w+)|\bhow to\s+(\w+)/i;

/** Of these a section of its own speaks: `Installation`, `Pausing a job`. Others stand in any. */
const plain =
  /^(?:use|add|write|create|make|get|set|do|define|declare|have|put|give|take|pass|call|import|show|see|find|change|start|begin|tell|let|handle|enable|disable|configure|specify)$/;

/**
 * `how do I write a task?`: documents say `write` of everything, and have a heading for the task. What
 * is to be done counts little beside what it is done to.
 */
export function asGuide(question: Question, asked: string): Question {
  const [, one, other] = guide.exec(asked) ?? [];
  const verb = (one ?? other)?.toLowerCase();
  const isAlone = question.terms.length < 2;
  if (verb === undefined || isAlone || !plain.test(verb)) return question;
  const forms = new Set(stemWord(verb));
  const terms = question.terms.map((term) =>
    term.forms.some((form) => forms.has(form))
      ? { ...term, weight: Math.min(term.weight, tuning.asking) }
      : term,
  );
  return { ...question, terms };
}
