import type { Reading } from '../contracts/intent.ts';
import { identifiersIn, pathsIn } from '../lib/text/question-words.ts';
import { questionForm as re } from './question-form.ts';
import { linesIn } from './read-kind.ts';

const changes = re(
  String.raw`(?:what(?:'s| is| was)?|which changes are)(?: the)? (?:new|changed|changes|added)(?: in| with)? (?:version |release )?v?(\d+(?:\.\d+)+)`,
);
/** `how do I add Y?`: documents say it before code does. */
const guide =
  /^\s*(?:please\s+)?(?:how (?:do|can|should|would|could|does) (?:I|we|you|one|someone)|how to|what is the (?:right|best|recommended) way to|when (?:should|can) (?:I|we|you)(?: not)?|show me how to)\s+(add|write|create|make|define|declare|configure|change|set|set ?up|migrate|upgrade|update|install|use|enable|disable|turn|customi[sz]e|register|extend|handle|pass|import|call|get|publish|release|contribute|deploy|test|debug|log|serve|return|send|override|run|generate|document|connect|access)\b/i;
const ranged = /\blines? \d+/i;

/** Questions whose form says what they want; undefined for all others. */
export function readEveryday(question: string): Reading | undefined {
  if (question.length > 400) return undefined;
  const version = changes.exec(question)?.[1];
  if (version !== undefined) return { kind: 'changes', version };
  return readLines(question);
}

/** It asks how a person does something. */
export function readGuide(question: string): Reading | undefined {
  if (question.length > 400) return undefined;
  const verb = guide.exec(question)?.[1]?.toLowerCase();
  // With names of code it is one about the code, but for the ways to use these.
  const isOfCode = identifiersIn(question).length > 0 && !/^(?:use|call|import)$/.test(verb ?? '');
  return verb === undefined || isOfCode ? undefined : { kind: 'guide' };
}

/** `lines 10 to 20 of queues.py`. */
function readLines(question: string): Reading | undefined {
  const [path] = pathsIn(question).filter((found) => !found.includes('*'));
  if (path === undefined || !ranged.test(question) || !/[^/.]\.\w+$/.test(path)) return undefined;
  return { kind: 'file', path, lines: linesIn(question, path) };
}
