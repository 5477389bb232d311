import type { AskIntent, Intent, Reading } from '../contracts/intent.ts';
import { having, stems } from './kind-row.ts';
import { isEnglish } from './to-english.ts';
import { readBag } from './word-bag.ts';

/** What the words of a question mean in the workspace. */
export type Meant = {
  /** the question with that in the place of how it was written */
  text: string;
  names: readonly { written: string; name: string }[];
  spelled: readonly { written: string; meant: string }[];
};

/** Without the words that are spelled well, and only stand nowhere. */
export function misspelledOnly({ text, names, spelled }: Meant): Meant {
  const fine = spelled.filter(({ written }) => isEnglish(written));
  const wrong = spelled.filter((each) => !fine.includes(each));
  const own = fine.reduce((rest, { written, meant }) => rest.replaceAll(meant, written), text);
  return { text: own, names, spelled: wrong };
}

/** Kinds that a question has whatever it names. */
const open: ReadonlySet<Reading['kind']> = new Set(['how', 'where', 'value', 'members']);
/** These say nothing of what is wanted. */
const explained: ReadonlySet<Reading['kind']> = new Set(['how', 'where']);
/** Definitions do not say these. */
const ofRules = /^\s*(?:how|why|when|who)\b/i;
/** Words beside a name without which it is still what the question is about; where it is done, none. */
const mostBeside = (question: string): number => (/^\s*where\b/i.test(question) ? 0 : 1);

/**
 * The intent of a question by what its words mean: the kind of question that they form with the
 * names in their places, else the definition of the name that it is about.
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
  // The search for settings says it better than a name of the same words.
  const isValue = asked.readings[0].kind === 'value';
  // A type, and no variable, says what there is.
  const names = all.filter(({ written, name }) =>
    isList ? /^\p{Lu}/u.test(name) : !isValue && /\P{L}/u.test(written),
  );
  const whole = names.reduce((rest, { written, name }) => rest.replace(written, name), own);
  const again = spelled.length === 0 ? asked : read(own);
  if (again.kind !== 'ask') return undefined;
  const kind = again.readings[0].kind;
  if (kind !== asked.readings[0].kind && !explained.has(kind)) return { ...again, question };
  const named = names.length === 0 ? undefined : read(whole);
  if (named?.kind === 'ask' && !open.has(named.readings[0].kind)) return { ...named, question };
  const [first] = names;
  if (first !== undefined && !ofRules.test(question) && isAbout(own, names, mostBeside(question))) {
    const { name } = first;
    const reading: Reading = { kind: 'definition', name, isName: true, isWord: true };
    return { ...again, question, readings: [reading, ...again.readings] };
  }
  return again === asked ? undefined : { ...again, question };
}

/** Whether it names nearly all words of the question. */
function isAbout(text: string, names: Meant['names'], most: number): boolean {
  const rest = names.reduce((left, { written }) => left.replace(written, ' '), text);
  const beside = readBag(rest, [])?.words.filter((word) => !little.has(word)) ?? [];
  return beside.length <= most;
}

const little = new Set(stems(having));
