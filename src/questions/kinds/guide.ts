import { contentWords, identifiersIn } from '../../lib/text/words.ts';
import { inDocuments, rankedPassages } from '../drafts.ts';
import type { Kind } from '../kind.ts';

/** How something is done: documents before code. */
export type GuideReading = { kind: 'guide' };

export const guide: Kind<GuideReading> = {
  lateForm: ({ text }) => readGuide(text),
  named: () => ({ kind: 'guide' }),
  plan: (_, mentions) => [inDocuments(mentions, 4), ...rankedPassages('s2', mentions)],
  wider: (_, { mentions }) => guide.plan({ kind: 'guide' }, mentions),
  shape: (_, { isWidened }) => (isWidened ? {} : { leads: 2 }),
  applies: () => 'all',
  isLoose: true,
};

/** `how do I add Y?`: documents say it before code does. */
const howTo =
  /^\s*(?:please\s+)?(?:how (?:do|can|should|would|could) (?:I|you|one)|how to|what is the (?:right|best|recommended) way to|when (?:should|can) (?:I|you)(?: not)?|show me how to|how (?:do|can|should) we (?=(?:add|write|create|make|configure|set ?up|migrate|upgrade|install|publish|contribute|deploy)\b))\s+([a-z]+)\b/i;
/** Of these verbs documents speak; of others they do where the question is short. */
const documented =
  /^(?:add|write|create|make|define|declare|configure|set|setup|migrate|upgrade|install|use|enable|disable|customi[sz]e|register|extend|handle|pass|import|call|get|publish|contribute|deploy)$/i;
const shortQuestion = 9;
/** Words that say what a longer one is about. */
const fewWords = 5;
/** What it is for, or under which condition, says what code does. */
const clause = /\b(?:so|when|whenever|if|after|before|while|without|unless|until)\b/i;

/** It asks how a person does something. */
function readGuide(question: string): GuideReading | undefined {
  const verb = howTo.exec(question)?.[1]?.toLowerCase();
  // With names of code it is one about the code, but for the ways to use these.
  const isOfCode = identifiersIn(question).length > 0 && !/^(?:use|call|import)$/.test(verb ?? '');
  const isShort =
    question.trim().split(/\s+/).length <= shortQuestion ||
    (contentWords(question).length <= fewWords && !clause.test(question));
  if (verb === undefined || isOfCode || !(isShort || documented.test(verb))) return undefined;
  return { kind: 'guide' };
}
