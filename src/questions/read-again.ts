import type { AskIntent, Intent } from '../contracts/intent.ts';
import type { Meant } from '../contracts/questions.ts';
import { having, stems } from './kind.ts';
import type { DefinitionReading } from './kinds/definition.ts';
import { kindOf } from './kinds.ts';
import { isEnglish } from './words/to-english.ts';
import { readBag } from './words/word-bag.ts';

/** Without the words that are spelled well, and only stand nowhere. */
export function misspelledOnly({ text, names, spelled }: Meant): Meant {
  const fine = spelled.filter(({ written }) => isEnglish(written));
  const wrong = spelled.filter((each) => !fine.includes(each));
  const own = fine.reduce((rest, { written, meant }) => rest.replaceAll(meant, written), text);
  return { text: own, names, spelled: wrong };
}

/** Definitions do not say these. */
const ofRules = /^\s*(?:how|why|when|who)\b/i;
/** Words beside a name without which it is still what the question is about; where it is done, none. */
const mostBeside = (question: string): number => (/^\s*where\b/i.test(question) ? 0 : 1);

/**
 * The intent of a question by what its words mean: of the kind that they make with the names in
 * their places, else the definition of the name that it is about.
 *
 * @returns undefined where that says no more than its words
 */
export function readAgain(
  asked: AskIntent,
  { text, names: all, spelled }: Meant,
  read: (text: string) => Intent,
): AskIntent | undefined {
  const { question } = asked;
  const own = all.reduce((rest, { written, name }) => rest.replace(name, written), text);
  // A word alone is a name where it is asked which of them there are.
  const isList = asked.readings[0].kind === 'members';
  // What a setting is, its own search says better than a name of the same words.
  const isValue = asked.readings[0].kind === 'value';
  // What there is, a type says, and no variable.
  const names = all.filter(({ written, name }) =>
    isList ? /^\p{Lu}/u.test(name) : !isValue && /\P{L}/u.test(written),
  );
  const whole = names.reduce((rest, { written, name }) => rest.replace(written, name), own);
  const again = spelled.length === 0 ? asked : read(own);
  if (again.kind !== 'ask') return undefined;
  const kind = again.readings[0].kind;
  if (kind !== asked.readings[0].kind && !saysLittle(kind)) return { ...again, question };
  // `how does X look for new versions?`: what two plain words join to is a guess.
  const [, subject] = /^\s*how (?:does|do|did) (?:(?:the|an?) )?(.*)/i.exec(own) ?? [];
  const isGuess = subject !== undefined && names.every((each) => !subject.startsWith(each.written));
  const named = names.length === 0 || isGuess ? undefined : read(whole);
  if (named?.kind === 'ask' && !kindOf(named.readings[0]).isOpen) return { ...named, question };
  const [first] = names;
  if (first !== undefined && !ofRules.test(question) && isAbout(own, names, mostBeside(question))) {
    const { name } = first;
    const reading: DefinitionReading = { kind: 'definition', name, isName: true, isWord: true };
    return { ...again, question, readings: [reading, ...again.readings] };
  }
  return again === asked ? undefined : { ...again, question };
}

/** It says nothing of what is wanted. */
function saysLittle(kind: string): boolean {
  const { isOpen, searches } = kindOf({ kind });
  return isOpen === true && searches === true;
}

/** Few words of the question are none of what it names. */
function isAbout(text: string, names: Meant['names'], most: number): boolean {
  const rest = names.reduce((left, { written }) => left.replace(written, ' '), text);
  const beside = readBag(rest, [])?.words.filter((word) => !little.has(word)) ?? [];
  return beside.length <= most;
}

const little = new Set(stems(having));
