import {
  beWords,
  degreeWords,
  linkWords,
  nowWords,
  ownWords,
  plainWords,
  smallWords,
  someWords,
} from '../../contracts/fact-words.ts';
import type { MemoryRecord } from '../../contracts/memory.ts';
import { sortOf } from './sort-of.ts';
import {
  runsOf,
  type Said,
  setOf,
  stem,
  stemsOf,
  type Word,
  wordsOfBoth,
} from './words-of-facts.ts';

/** One of two sentences that share words. */
export type Side = Pick<MemoryRecord, 'text' | 'kind'> & {
  words: readonly Word[];
  /** the words in which it differs from the other */
  value: readonly string[];
};

/** Both sentences with the words in which they differ: where that is one place each, as `value`. */
export function differing(
  newer: Pick<MemoryRecord, 'text' | 'kind'>,
  older: Pick<MemoryRecord, 'text' | 'kind'>,
  hasLeft = false,
) {
  const [now, before] = wordsOfBoth(newer, older, hasLeft);
  const [nowSet, beforeSet] = [setOf(now), setOf(before)];
  const shared = nowSet.intersection(beforeSet);
  const [added, gone] = [runsOf(now, shared), runsOf(before, shared)];
  return {
    now: { ...newer, words: now, value: added[0] ?? [] },
    before: { ...older, words: before, value: gone[0] ?? [] },
    ...{ shared, added, gone },
    // what tells one thing from another is said twice, or is not
    likeness: shared.size / Math.max(1, Math.min(nowSet.size, beforeSet.size)),
  };
}

type Difference = (now: Side, before: Side, shared: ReadonlySet<string>) => boolean;

/** The ways in which a change may be about another thing than a fact that it looks alike. */
const differences: readonly Difference[] = [
  isOtherThing,
  hasOwnVerb,
  (now, before, shared) =>
    [now, before].every((side) => side.kind === 'fact' && sharesOnlyWhere(side, shared)),
  (now, before) => saysWhose(now) !== saysWhose(before),
  doOtherThings,
  saysWhereOfOne,
  mayHoldBoth,
];

export const areOfTwoThings: Difference = (now, before, shared) =>
  differences.some((differ) => differ(now, before, shared));

/**
 * Values that look alike and are said of different things: "[port 8080]" and "[Debian 12]", "answers
 * within [24 hours]" and "is closed on [Sundays]", the "[billing] service" and the "[search] service".
 */
function isOtherThing(now: Side, before: Side): boolean {
  const isNoun = (word: string) => sortOf([word]) === 'name';
  const both = [now, before];
  if (both.every(({ value }) => value.every(isNoun))) return both.every(isQualifier);
  return both.every(({ value }) => value.some(isNoun) && isNoun(value[0] ?? ''));
}

/**
 * "The [exam] moved to Friday" beside "the [party] is on Friday": the subject is another, and only
 * when or where it is is said of both. "[Tom] reviews the code" and "[Tom] is the lead" are not so.
 */
function sharesOnlyWhere({ text, value }: Side, shared: ReadonlySet<string>): boolean {
  const words = plainWords(text);
  const said = words.map(stem);
  const first = said.findIndex((word) => shared.has(word));
  const subject = said.findIndex((word) => value.includes(word));
  if (subject < 0 || subject > first) return false;
  const before = words.slice(0, first).findLast((word) => !ownWords.has(word)) ?? '';
  const isWhere = [words[first] ?? '', before].some((word) => places.has(word));
  return isWhere || sortOf([said[first] ?? '']) !== 'name';
}

/** "The stocktaking [of the branch] in [April]": which one of several. */
function saysWhose({ text, value }: Side): boolean {
  const words = plainWords(text);
  return words.some((word, at) => {
    const isOf = genitives.has(words[at - 1] ?? '');
    return (
      isOf && value.length > 1 && value.includes(stem(word)) && sortOf([stem(word)]) === 'name'
    );
  });
}

const genitives = new Set('of der des von vom del de du d do da dos das'.split(' '));

/** "[Basile closes] the gate" and "[Edith paints] the gate". */
function doOtherThings(now: Side, before: Side): boolean {
  const hasVerb = (side: Side) => side.value.length > 1 && !isNamedInFull(side);
  const stands = ({ text, value }: Side) => value.includes(stemsOf(text)[0] ?? '');
  return [now, before].every(hasVerb) && [now, before].some(stands);
}

/** "Maria Lopez" */
function isNamedInFull({ text, value }: Side): boolean {
  const words = text.match(/[\p{L}\p{N}]\S*/gu) ?? [];
  const own = words.filter((word) => plainWords(word).some((part) => value.includes(stem(part))));
  return own.every((word) => /^\p{Lu}/u.test(word));
}

/** "[works] in Lisbon", of one who lives in Porto: nothing else in the sentence links or changes. */
function hasOwnVerb({ value, words }: Side): boolean {
  const at = words.findIndex(({ word }) => value.includes(word));
  return value.length > 1 && at > 0 && words.every(({ breaks }) => !breaks);
}

/**
 * Whether a value only tells which one of several is meant: the "[search] service", and neither
 * "[Ana] reviews the code" nor a flag that "is [off] in production".
 */
function isQualifier({ value, words, text }: Side): boolean {
  const raw = plainWords(text).map(stem);
  const [first, last] = [raw.indexOf(value[0] ?? ''), raw.lastIndexOf(value.at(-1) ?? '')];
  const next = words.find(({ word, breaks }) => !breaks && word === raw[last + 1]);
  // "the blue one" is which one it is
  if (next === undefined || next.word === 'one') return false;
  if (value.some((word) => switches.has(word))) return false;
  // "on the [fifth] floor", "under the [red] pot": where something is, and not which
  const isLast = words.findLast(({ breaks }) => !breaks)?.word === next.word;
  if ((isLast || value.every((word) => ordinal.test(word))) && isPlaced(raw, first)) return false;
  const isSecond = words[0]?.word !== value[0];
  return isSecond || ownWords.has(raw[first - 1] ?? '');
}

const switches = new Set(['on', 'off']);

/** After a preposition of place or time. */
function isPlaced(words: readonly string[], at: number): boolean {
  const [before = '', last = ''] = words.slice(Math.max(0, at - 2), at);
  return prepositions.has(last || before) || (articles.has(last) && prepositions.has(before));
}

/** One says where a thing is, the other what it is: "in [Rome]" and "[closed]". */
function saysWhereOfOne(now: Side, before: Side): boolean {
  const [form, old] = [formOf(now), formOf(before)];
  return form !== undefined && old !== undefined && (form === '') !== (old === '');
}

/** "Mia plays the [violin]" and "Mia now plays [chess]": of these one may have several. */
function mayHoldBoth(now: Side, before: Side): boolean {
  if (!/\bnow\b/i.test(now.text)) return false;
  return [now, before].every(({ text, value }) => {
    const said = plainWords(text).filter((word) => !isPassed(word));
    const verb = said[said.findIndex((word) => value.includes(stem(word))) - 1] ?? '';
    return severalWords.has(stem(verb)) && sortOf(value) === 'name';
  });
}

const isPassed = (word: string) =>
  [nowWords, ownWords, someWords].some((list) => list.has(word)) || word === 'to';

const severalWords = new Set(
  `play speak sell support like love enjoy know own include offer treat teach read learn collect
   visit accept cover stock serve train contain handle help sponsor grow bake make build
   deliver ship`
    .split(/\s+/)
    .map(stem),
);

/** "in [Rome] at [8]" against "in [Bonn] at [9]": a preposition of both stands between two values. */
export function saysTwoThings(one: Side, other: Side): boolean {
  const [now, before] = [plainWords(one.text), plainWords(other.text)];
  const isSplit = (words: readonly string[], run: readonly string[], at: string): boolean => {
    const index = words.indexOf(at);
    const isIn = (part: readonly string[]) => part.some((word) => run.includes(stem(word)));
    return isIn(words.slice(0, index)) && isIn(words.slice(index + 1));
  };
  return now.some(
    (word) =>
      smallWords.has(word) &&
      !ownWords.has(word) &&
      before.includes(word) &&
      isSplit(now, one.value, word) &&
      isSplit(before, other.value, word),
  );
}

/**
 * Whether a sentence that does not say so replaces the other: "releases happen on Fridays", not
 * "Ana likes coffee" or "Paul is allergic to milk". Both values are of one sort, and what else is
 * said of them is the same, or one of them is what a thing is.
 */
export function isPlainly(now: Side, before: Side): boolean {
  const sort = sortOf(now.value);
  if (sort !== sortOf(before.value)) return false;
  if (sort === 'name') return isNamedAnew(now, before);
  const both = [now.value, before.value];
  if (sort !== 'time') return both.every(({ length }) => length === 1);
  return both.flat().every((word) => sortOf([word]) !== 'name');
}

/**
 * "The lead is [Maria]" and "the lead is [Jonas]", "in [Rome]" and "in [Bonn]". "Lena is [vegetarian]"
 * and "Lena is [allergic to nuts]", "the car is [red]" and "the car is in [the garage]" are two things.
 */
function isNamedAnew(now: Side, before: Side): boolean {
  const [form, old] = [formOf(now), formOf(before)];
  if (form === undefined || form !== old) return false;
  return form !== '' || [now, before].every((said) => isOneThing(said) && isName(said));
}

/** Whether both say what a thing is or where it is, and in the same form. */
export function areOfOneForm(newer: string, older: string): boolean {
  const read = differing({ text: newer, kind: 'fact' }, { text: older, kind: 'fact' });
  if (read.added.length > 1 || read.gone.length > 1) return false;
  const form = formOf(read.now);
  return form !== undefined && form === formOf(read.before);
}

/** Whether both say a time or number where they differ: "on Platz [12]", "in der Tiefgarage, Platz [47]". */
export function differInNumber(newer: string, older: string): boolean {
  const { added, gone } = differing({ text: newer, kind: 'fact' }, { text: older, kind: 'fact' });
  return [added, gone].every((runs) => runs.flat().some((word) => sortOf([word]) !== 'name'));
}

/** The prepositions between "is" and a value, '' without; undefined for "is a [designer]", "has [it]". */
function formOf({ text, value }: Side): string | undefined {
  const words = plainWords(text);
  const form: string[] = [];
  const isFirst = (word: string) => value.includes(stem(word)) && !prepositions.has(word);
  for (let at = words.findIndex(isFirst) - 1; at >= 0; at -= 1) {
    const word = words[at] ?? '';
    if (beWords.has(word)) return form.join(' ');
    if (someWords.has(word)) return undefined;
    if (nowWords.has(word) || degreeWords.has(word) || ownWords.has(word)) continue;
    if (!smallWords.has(word) && !prepositions.has(word)) return undefined;
    form.unshift(word);
  }
  return undefined;
}

/** "The lead", "on-call lead", and neither "Lena" nor "Mr Hart", of whom there is much to say. */
function isOneThing({ text }: Side): boolean {
  const [first = ''] = plainWords(text);
  return ownWords.has(first) || !/^\P{L}*\p{Lu}/u.test(text);
}

/** "[Maria]", "the [harbour]", and not "[closed]". */
function isName({ text, value }: Side): boolean {
  const words = text.match(/[\p{L}\p{N}]\S*/gu) ?? [];
  const at = words.findIndex((word) => plainWords(word).some((part) => value.includes(stem(part))));
  return /^\p{Lu}/u.test(words[at] ?? '') || ownWords.has((words[at - 1] ?? '').toLowerCase());
}

/** "the port is random", and not "the meeting is in room four": there may be other things to say. */
export function isPlainlyNamed({ text }: Said): boolean {
  const words = plainWords(text);
  const next = words[words.findIndex((word) => linkWords.has(word)) + 1] ?? '';
  return isSaidOf(text) && (!smallWords.has(next) || articles.has(next));
}

/** "X is Y": what X is, is one. */
export function isSaidOf(text: string): boolean {
  return plainWords(text).some((word) => beWords.has(word));
}

export const prepositions = new Set(
  'on in at to under behind below above near beside inside outside im am auf an unter hinter neben bei en al bajo tras au aux dans sous sur chez derriere devant em no na ao sob'.split(
    ' ',
  ),
);

const places = prepositions.union(
  new Set('to into onto until from nach zu zum zur bis ab a hasta desde vers para ate'.split(' ')),
);

const ordinal =
  /^(?:first|second|third|[a-z]+th|\d+(?:st|nd|rd|th|e|eme|o|a)|(?:erst|zweit|dritt|viert|funft|sechst|siebt|acht|neunt|zehnt|elft|zwolft)e[nrms]?|(?:primer|segund|tercer|cuart|quint|sext|septim|octav|noven|decim|terceir|quart|setim|oitav|non)[oa]?|primeir[oa]|premiere?|[a-z]+ieme)$/;

export const articles = new Set(
  'the a an our der die das ein eine el la los las un una le les une o os as um uma'.split(' '),
);
