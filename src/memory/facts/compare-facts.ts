import { linkWords, notWords, plainWords, pronouns, useWords } from '../../contracts/fact-words.ts';
import { isChosen, isChosenAnew, speaksOtherwise } from './choices.ts';
import { comparePassing, settledText } from './passes-on.ts';
import { readChange } from './read-change.ts';
import { areAlike } from './sort-of.ts';
import {
  areOfTwoThings,
  differing,
  isPlainly,
  isPlainlyNamed,
  isSaidOf,
  type Side,
  saysTwoThings,
} from './tell-apart.ts';
import { isFormOf, type Said, stem, stemsOf, type Word } from './words-of-facts.ts';

/** The relation of a newer sentence to an older fact. */
export type Relation =
  /** it says another thing of the same */
  | 'replaces'
  /** it says that the same holds no longer */
  | 'ends'
  /** it says the same */
  | 'repeats'
  /** it is about something near, or it is not plain whether it replaces: both hold */
  | 'near'
  | 'other';

type Newer = Said & { isChange: boolean; denies?: true };

/** Share of the shorter sentence's words that two sentences on one thing have in common. */
const minLikeness = 0.4;

/**
 * Compares what is said now with a fact of before. It replaces the fact when the two differ in one
 * place alone, and the place is one whose value a person changes: "releases happen on [Thursdays]",
 * "releases moved to [Fridays]". Two places mean that it is about something near: "[board] meetings
 * are on [Fridays]" ends nothing about meetings. A sentence that names what was before ("from
 * Thursdays to Fridays") is about a fact that says so.
 *
 * @param told what a person said before
 * @param newer.isChange it says by itself that something has changed: "no, …", "… moved to …"
 * @param newer.denies it says that something holds no longer
 */
export function compareFacts(newer: Newer, told: Said): Relation {
  const relation = compareWords(newer, { ...told, text: settledText(told.text) });
  const passing = comparePassing(newer, told.text);
  if (passing === undefined) return relation;
  if (passing.isPlain) return passing.isEnd ? 'ends' : 'replaces';
  return passing.isSaid || relation === 'other' || relation === 'repeats' ? relation : 'near';
}

function compareWords(newer: Newer, older: Said): Relation {
  const { text, gone } = readChange(newer.text);
  const named = stemsOf(gone ?? '');
  if (named.length === 0) return compare(newer, older, []);
  const before = new Set(plainWords(older.text).map(stem));
  const now = { ...newer, text, isChange: true };
  // "nicht mehr Luc macht die Rechnungen, sondern Ines"
  if (stemsOf(older.text).every((word) => named.includes(word))) return 'replaces';
  // "doesn't listen on 2222 any more": of what is denied the verb is no value
  const values = doNot.test(newer.text) ? named.slice(1) : named;
  // "the server is called atlas", of which is said that "atlas was renamed hermes"
  const last = stemsOf(older.text).slice(-named.length);
  if (isRenaming.test(text) && last.join(' ') === named.join(' ')) return 'replaces';
  if (values.length > 0 && named.every((word) => before.has(word))) {
    return compare(now, older, values);
  }
  const relation = compare(now, older, []);
  return relation === 'other' ? 'other' : 'near';
}

const isRenaming = /^renamed to /;

const doNot = /\b(?:do|does|did)(?:n['’]t|\s+not)\b/i;

/** @param named words of what was before, which the older sentence has */
function compare(newer: Newer, older: Said, named: readonly string[]): Relation {
  const read = differing(newer, older, named.length > 0);
  const { now, before, shared, added, gone: differs, likeness } = read;
  // "no, it is at 4 pm", of what was "at 3 pm on Wednesdays": nothing is said of the day
  const isShort = newer.isChange && added.length === 1 && isAtEnd(differs[1], before);
  const gone = isShort ? differs.slice(0, 1) : differs;
  if (shared.size === 0) {
    if (isChosenAnew(newer, older, named)) return 'replaces';
    return named.includes(stemsOf(older.text)[0] ?? '') ? 'near' : 'other';
  }
  // "no longer", "not A but B": what is denied is what was
  const isDenied = newer.denies === true || named.length > 0;
  const isContrary = !isDenied && isNegated(newer) !== isNegated(older);
  const isChoice = newer.kind !== 'fact' && newer.kind === older.kind;
  if (added.length === 0 && gone.length === 0) {
    if (newer.denies) return 'ends';
    if (isContrary) return 'replaces';
    if (isSameOrder(now, before)) return 'repeats';
    return newer.isChange || isChoice ? 'replaces' : 'near';
  }
  if (added.length === 0) {
    return newer.denies && likeness === 1 && shared.size > 1 ? 'ends' : 'near';
  }
  if (added.length > 1 || gone.length > 1) return likeness >= minLikeness ? 'near' : 'other';
  if (isContrary || saysTwoThings(now, before)) return 'near';
  if (newer.denies && named.length === 0 && !deniesAllOf(newer.text, before.words)) return 'near';
  return isInItsPlace() ? 'replaces' : 'near';

  function isInItsPlace(): boolean {
    if (gone.length === 0) {
      const last = now.words.at(-1)?.word ?? '';
      const isLast =
        now.value.includes(last) || [...shared].some((of) => areAlike(now.value, [of]));
      return newer.denies === true && isLast;
    }
    if (named.length > 0) {
      // "from room 12 to room 20": the room is said of both
      const own = named.filter((word) => !shared.has(word));
      return own.length > 0 && own.every((word) => before.value.includes(word));
    }
    if (isChoice && speaksOtherwise(newer.text, older.text)) return false;
    if (isChoice && isChosen(now, before, shared)) return true;
    if (!newer.isChange) return !isChoice && isPlainly(now, before);
    if (areOfTwoThings(now, before, shared)) return false;
    return areAlike(now.value, before.value) || [newer, older].every(isPlainlyNamed);
  }
}

function isAtEnd(run: readonly string[] | undefined, { words }: Side): boolean {
  return run !== undefined && run.at(-1) === words.findLast(({ breaks }) => !breaks)?.word;
}

/** "Ben no longer feeds the cat, Carla does" ends nothing about what else Ben does. */
function deniesAllOf(text: string, older: readonly Word[]): boolean {
  const [denied = ''] = text.split(/\s*[,;:–—]\s*/);
  const isKnown = (word: string) =>
    [linkWords, notWords, pronouns, endWords].some((list) => list.has(word)) ||
    older.some((other) => isFormOf(word, other.word) || (useWords.has(word) && other.breaks));
  return stemsOf(denied).every(isKnown);
}

const endWords = new Set('stopped used who no more'.split(' '));

function isNegated({ text, kind }: Said): boolean {
  const words = plainWords(text);
  const isNone = (word: string, at: number) =>
    kind === 'fact'
      ? word === 'no' && linkWords.has(words[at + 1] ?? '')
      : at > 0 && noneWords.test(word);
  return words.some((word, at) => notWords.has(word) || isNone(word, at));
}

/** "I prefer no meetings", "keine Termine", of what is chosen. */
const noneWords = /^(?:no|kein(?:e[nrms]?)?|ningun[oa]?|aucune?|nenhuma?)$/;

/** "Paul is the owner" and "the owner is Paul" are one; "tabs over spaces" is another way around. */
function isSameOrder(now: Side, before: Side): boolean {
  if (isSaidOf(now.text)) return true;
  const order = ({ words }: Side) =>
    words.flatMap(({ word, breaks }) => (breaks ? [] : [word])).join(' ');
  return order(now) === order(before);
}
