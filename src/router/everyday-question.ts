import type { Reading } from '../contracts/intent.ts';
import { contentWords, identifiersIn, pathsIn } from '../lib/text/words.ts';
import { questionForm as re } from './question-form.ts';
import { linesIn } from './read-kind.ts';

const changes = re(
  String.raw`(?:what(?:'s| is| was)?|which changes are)(?: the)? (?:new|changed|changes|added)(?: in| with)? (?:(?:version|release|[\w@][\w@/-]*) )?v?(\d+(?:\.\d+)+)`,
);
/** `what's in the latest release?` */
const latest = re(
  `what(?:'s| is| was| has| have| are| were| did)?(?: been)?(?: the)? (?:(?:new|changed?|changes|added|fixed|news)(?: in| with)?|in)(?: the)? (?:latest|last|newest|current|most recent) (?:release|version)`,
);
/** `how do I add Y?`: documents say it before code does. */
const guide =
  /^\s*(?:please\s+)?(?:how (?:do|can|should|would|could) (?:I|you|one)|how to|what is the (?:right|best|recommended) way to|when (?:should|can) (?:I|you)(?: not)?|show me how to|how (?:do|can|should) we (?=(?:add|write|create|make|configure|set ?up|migrate|upgrade|install|publish|contribute|deploy)\b))\s+([a-z]+)\b/i;
/** Documents speak of these verbs, and of others where the question is short. */
const documented =
  /^(?:add|write|create|make|define|declare|configure|set|setup|migrate|upgrade|install|use|enable|disable|customi[sz]e|register|extend|handle|pass|import|call|get|publish|contribute|deploy)$/i;
const shortQuestion = 9;
/** Words that say what a longer one is about. */
const fewWords = 5;
/** A purpose or a condition says what code does. */
const clause = /\b(?:so|when|whenever|if|after|before|while|without|unless|until)\b/i;
const ranged = /\blines? \d+/i;

/** Questions whose form says what they want; undefined for all others. */
export function readEveryday(question: string): Reading | undefined {
  if (question.length > 400) return undefined;
  const version = changes.exec(question)?.[1];
  if (version !== undefined) return { kind: 'changes', version };
  if (latest.test(question)) return { kind: 'changes' };
  return readLines(question);
}

/** It asks how a person does something. */
export function readGuide(question: string): Reading | undefined {
  if (question.length > 400) return undefined;
  const verb = guide.exec(question)?.[1]?.toLowerCase();
  // With names of code it is one about the code, but for the ways to use these.
  const isOfCode = identifiersIn(question).length > 0 && !/^(?:use|call|import)$/.test(verb ?? '');
  const isShort =
    question.trim().split(/\s+/).length <= shortQuestion ||
    (contentWords(question).length <= fewWords && !clause.test(question));
  if (verb === undefined || isOfCode || !(isShort || documented.test(verb))) return undefined;
  return { kind: 'guide' };
}

/** `lines 10 to 20 of queues.py`. */
function readLines(question: string): Reading | undefined {
  const [path] = pathsIn(question).filter((found) => !found.includes('*'));
  // A traceback has lines of files, too.
  if (question.includes('\n')) return undefined;
  if (path === undefined || !ranged.test(question) || !/[^/.]\.\w+$/.test(path)) return undefined;
  return { kind: 'file', path, lines: linesIn(question, path) };
}
