import {
  beWords,
  changeWords,
  choiceWords,
  degreeWords,
  linkWords,
  notWords,
  nowWords,
  ownWords,
  placeWords,
  plainWords,
  pronouns,
  shownPronouns,
  smallWords,
  someWords,
  useWords,
} from '../../contracts/fact-words.ts';
import type { MemoryRecord } from '../../contracts/memory.ts';
import { feelWords, keepWords } from './handover-words.ts';
import { readChange } from './read-change.ts';
import { type Handover, type Passive, readHandover, readPassive } from './read-handover.ts';

type Said = Pick<MemoryRecord, 'text' | 'kind'>;

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

/** A word that counts; `breaks`: what stands before it and behind it are two things. */
type Word = { word: string; breaks: boolean };

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
  const older = { ...told, text: settledText(told.text) };
  const handed = readHandover(newer.text);
  const passive = handed === undefined && newer.isChange ? readPassive(newer.text) : undefined;
  if (handed === undefined && passive === undefined) return compareWords(newer, older);
  const isPlain =
    handed === undefined
      ? passive !== undefined && isDoneByAnother(passive, older.text)
      : passesOn(handed, older.text, told.text !== older.text);
  if (isPlain) return handed !== undefined && handed.next === undefined ? 'ends' : 'replaces';
  const relation = compareWords(newer, older);
  if (passive !== undefined && hasVerb(older.text, passive.verb)) return relation;
  return relation === 'replaces' || relation === 'ends' ? 'near' : relation;
}

/** Of a fact that was a change itself, what it says of before is past. */
function settledText(told: string): string {
  const { next, thing, isRole } = readHandover(told) ?? {};
  if (next === undefined || thing === undefined) return readChange(told).text;
  return `${next} ${isRole ? 'is' : 'has'} ${thing}`;
}

/**
 * Whether a fact says of the one who had a thing that he has it, and no more: "Priya owns the
 * pipeline", "Ben waters the plants", and neither "Priya wrote the pipeline" nor "likes" it.
 */
function passesOn(
  { holder, thing, isRole, does, past }: Handover,
  older: string,
  wasHanded: boolean,
): boolean {
  if (thing === undefined) return false;
  const rest = restOf(older, [holder, thing]);
  if (rest === undefined) return false;
  const isSaid = wasHanded || isSaidOf(older);
  const done = readPassive(older);
  // "the bus is driven by Olga"
  if (done !== undefined && !isRole) {
    const isFelt = [...feelWords].some((word) => isFormOf(word, done.verb));
    return !isFelt && rest.every((word) => word === done.verb);
  }
  if (isRole) return isSaid && rest.every((word) => useWords.has(word));
  if (rest.every((word) => keepWords.has(stem(word)))) return isSaid || rest.length > 0;
  const [verb = '', ...more] = rest;
  const isGeneral =
    does.test(verb) &&
    !feelWords.has(verb) &&
    !isSaidOf(older) &&
    !plainWords(older).some((word) => past.includes(word));
  return more.length === 0 && isGeneral && !isElsewhere(older, thing);
}

/** "The register is now kept by Mrs Lind", of "Mr Brandt keeps the register". */
function isDoneByAnother({ thing, verb }: Passive, older: string): boolean {
  const rest = restOf(older, [thing]);
  const names = rest?.filter((word) => !isFormOf(word, verb)) ?? [];
  if (names.length === 0 || names.length === rest?.length) return false;
  const words = plainWords(older);
  return (
    words
      .slice(words.indexOf(names[0] ?? ''))
      .slice(0, names.length)
      .join() === names.join()
  );
}

/** Whether a sentence passes on what a fact says somebody has, or puts another in its subject's place. */
export function passesFrom(newer: string, told: string): boolean {
  const older = settledText(told);
  const { holder, thing } = readHandover(newer) ?? {};
  if (holder !== undefined && thing !== undefined)
    return restOf(older, [holder, thing]) !== undefined;
  const gone = stemsOf(readChange(newer).gone ?? '');
  return gone.length > 0 && gone.every((word, at) => stemsOf(older)[at] === word);
}

function hasVerb(text: string, verb: string): boolean {
  return plainWords(text).some((word) => isFormOf(word, verb));
}

/** @returns words of a sentence beyond what is named; undefined where it lacks some of that */
function restOf(text: string, named: readonly string[]): string[] | undefined {
  const isEmpty = (word: string) =>
    [smallWords, nowWords, linkWords, degreeWords].some((list) => list.has(word));
  const said = (words: string) => plainWords(words).filter((word) => !isEmpty(word));
  const wanted = named.map(said);
  if (wanted.some((words) => words.length === 0)) return undefined;
  const own = said(text);
  const isIn = (words: readonly string[], word: string) =>
    words.some((other) => isSameNoun(word, other));
  if (!wanted.flat().every((word) => isIn(own, word))) return undefined;
  return own.filter((word) => !isIn(wanted.flat(), word));
}

/** "tesorera" and "tesorero" are one. */
function isSameNoun(word: string, other: string): boolean {
  if (stem(word) === stem(other)) return true;
  const isLong = word.length > 4 && word.length === other.length;
  const ends = `${word.at(-1)}${other.at(-1)}`;
  return isLong && word.slice(0, -1) === other.slice(0, -1) && /^[oae]{2}$/.test(ends);
}

/** "runs" and "run", "führt" and "geführt", "dirige" and "dirigido", "keeps" and "kept". */
function isFormOf(word: string, verb: string): boolean {
  const one = word.replace(/^ge/, '');
  const other = verb.replace(/^ge/, '');
  const least = Math.max(3, Math.min(one.length, other.length) - 2);
  if (one.slice(0, least) === other.slice(0, least)) return true;
  return irregular.some((forms) => forms.includes(stem(word)) && forms.includes(stem(verb)));
}

const irregular = 'lead led|keep kept|hold held|teach taught|do done|make made|sell sold|sing sung'
  .split('|')
  .map((forms) => forms.split(' '));

/** "Sits in the archive": a preposition stands outside of what is named. */
function isElsewhere(older: string, thing: string): boolean {
  const own = new Set(plainWords(thing));
  return plainWords(older).some((word) => prepositions.has(word) && !own.has(word));
}

function compareWords(newer: Newer, older: Said): Relation {
  const { text, gone } = readChange(newer.text);
  const named = stemsOf(gone ?? '');
  if (named.length === 0) return compare(newer, older, []);
  const before = new Set(plainWords(older.text).map(stem));
  const now = { ...newer, text, isChange: true };
  // "nicht mehr Luc macht die Rechnungen, sondern Ines"
  if (stemsOf(older.text).every((word) => named.includes(word))) return 'replaces';
  if (named.every((word) => before.has(word))) return compare(now, older, named);
  const relation = compare(now, older, []);
  return relation === 'other' ? 'other' : 'near';
}

type Newer = Said & { isChange: boolean; denies?: true };

/** @param named words of what was before, which the older sentence has */
function compare(newer: Newer, older: Said, named: readonly string[]): Relation {
  const [now, before] = wordsOfBoth(newer, older);
  const [nowSet, beforeSet] = [setOf(now), setOf(before)];
  const shared = nowSet.intersection(beforeSet);
  if (shared.size === 0) {
    if (isChosenAnew(newer, older, named)) return 'replaces';
    return named.includes(stemsOf(older.text)[0] ?? '') ? 'near' : 'other';
  }
  const [added, gone] = [runsOf(now, shared), runsOf(before, shared)];
  // "no longer", "not A but B": what is denied is what was
  const isDenied = newer.denies === true || named.length > 0;
  const isContrary = !isDenied && isNegated(newer) !== isNegated(older);
  if (added.length === 0 && gone.length === 0) {
    if (newer.denies) return 'ends';
    if (isContrary) return 'replaces';
    return isSameOrder(newer, now, before) ? 'repeats' : orderedOtherwise(newer, older);
  }
  // what tells one thing from another is said twice, or is not
  const likeness = shared.size / Math.min(nowSet.size, beforeSet.size);
  if (added.length === 0) {
    if (newer.denies && likeness === 1 && shared.size > 1) return 'ends';
    return 'near';
  }
  if (added.length > 1 || gone.length > 1) return likeness >= minLikeness ? 'near' : 'other';
  if (isContrary) return 'near';
  if (newer.denies && named.length === 0 && !deniesAllOf(newer.text, before)) return 'near';
  const [value = [], old = []] = [added[0], gone[0]];
  if (saysTwoThings(newer.text, older.text, value, old)) return 'near';
  if (gone.length === 0) {
    const isLast = endsWith(now, value) || [...shared].some((word) => areAlike(value, [word]));
    return newer.denies && isLast ? 'replaces' : 'near';
  }
  if (named.length > 0) {
    // "from room 12 to room 20": the room is said of both
    const own = named.filter((word) => !shared.has(word));
    return own.length > 0 && own.every((word) => old.includes(word)) ? 'replaces' : 'near';
  }
  const isChoice = newer.kind !== 'fact' && newer.kind === older.kind;
  if (isChoice) {
    if (speaksOtherwise(newer.text, older.text)) return 'near';
    const isChosen =
      isObject(now, value) &&
      isObject(before, old) &&
      isOnTopic(newer.text, value, shared) &&
      isOnTopic(older.text, old, shared);
    if (isChosen) return 'replaces';
  }
  if (newer.isChange) {
    if (isOtherThing(value, old, [now, newer.text], [before, older.text])) return 'near';
    if (hasOwnVerb(value, now)) return 'near';
    const isElsewhereSaid = ([text, run]: Value) => sharesOnlyWhere(text, run, shared);
    const both: Value[] = [
      [newer.text, value],
      [older.text, old],
    ];
    const isChoice = newer.kind !== 'fact' || older.kind !== 'fact';
    if (!isChoice && both.every(isElsewhereSaid)) return 'near';
    if (saysWhose(newer.text, value) !== saysWhose(older.text, old)) return 'near';
    if (doOtherThings([newer.text, value], [older.text, old])) return 'near';
    if (saysWhereOfOne([newer.text, value], [older.text, old])) return 'near';
    return areAlike(value, old) || (isPlainlyNamed(newer) && isPlainlyNamed(older))
      ? 'replaces'
      : 'near';
  }
  return !isChoice && isPlainly(newer, older, value, old) ? 'replaces' : 'near';
}

/**
 * "We switched from Jenkins to Drone" says no word of what it is for: it is about a fact that says
 * that Jenkins is used, or that it is the CI, and about none that only says something of Jenkins.
 */
function isChosenAnew(newer: Newer, older: Said, named: readonly string[]): boolean {
  if (named.length === 0) return false;
  const words = plainWords(older.text);
  const at = words.findIndex((word) => named.includes(stem(word)));
  const before = words.slice(0, at).filter((word) => !smallWords.has(word));
  const behind = words.slice(at).filter((word) => !named.includes(stem(word)));
  const last = before.at(-1) ?? '';
  if (useWords.has(last) || choiceWords.has(last)) return true;
  // "we host the site at Gandi"
  const isPlace = prepositions.has(words[at - 1] ?? '') && behind.length === 0;
  if (isPlace && before.length === 2 && useWords.has(before[0] ?? '')) return true;
  // "dass wir Jenkins benutzen"
  if (useWords.has(behind.at(-1) ?? '') && before.every(isNoName)) return true;
  if (beWords.has(last) && before.length > 1) return isBareChange(newer.text);
  const [first = '', next = ''] = behind.filter((word) => !nowWords.has(word));
  if (before.length > 0) return false;
  return beWords.has(first) ? ownWords.has(next) : isBareChange(newer.text) && isDoing(first, next);
}

/** "Grafana [shows our] dashboards": what it is there for, and neither "costs 20 euros" nor "built the". */
function isDoing(verb: string, next: string): boolean {
  if (feelWords.has(verb) || linkWords.has(verb)) return false;
  return doing.some(([own, form]) => own.test(next) && form.test(verb));
}

const doing: readonly (readonly [own: RegExp, verb: RegExp])[] = [
  [/^(?:the|our|my)$/, /[^s]s$/],
  [/^(?:der|die|das|den|unsere?n?|meine?n?)$/, /t$/],
  [/^(?:el|la|los|las|nuestr[oa]s?|mis?|os?|as?|noss[oa]s?)$/, /(?:(?<!ab|i)an?|en?|z)$/],
  [/^(?:les?|la|notre|nos|mes)$/, /(?:[et]|[^e]d)$/],
];

/** "we switched to Drone", "sind auf Drone umgestiegen": who changes something is not named. */
function isBareChange(text: string): boolean {
  const words = plainWords(text);
  const at = words.findIndex((word) => changeWords.has(word));
  // "our electrician is Mrs Cole" names who it is about
  if (at < 0) return !words.some((word) => linkWords.has(word));
  // "we moved the print shop to York"
  const next = words[at + 1] ?? 'to';
  return words.slice(0, at).every(isNoName) && isNoName(next) && !ownWords.has(next);
}

function isNoName(word: string): boolean {
  return [smallWords, nowWords, linkWords, pronouns].some((list) => list.has(word));
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
function isSameOrder({ text }: Said, now: readonly Word[], before: readonly Word[]): boolean {
  if (isSaidOf(text)) return true;
  const order = (words: readonly Word[]) =>
    words.flatMap(({ word, breaks }) => (breaks ? [] : [word])).join(' ');
  return order(now) === order(before);
}

function orderedOtherwise(newer: Newer, older: Said): Relation {
  const isChoice = newer.kind !== 'fact' && newer.kind === older.kind;
  return newer.isChange || isChoice ? 'replaces' : 'near';
}

function stemsOf(text: string): string[] {
  return plainWords(text)
    .filter((word) => ![smallWords, nowWords, degreeWords].some((list) => list.has(word)))
    .map(stem);
}

/** Share of the shorter sentence's words that two sentences on one thing have in common. */
const minLikeness = 0.4;

/**
 * Whether a sentence that does not say so replaces the other: "releases happen on Fridays", not
 * "Ana likes coffee" or "Paul is allergic to milk". Both values are of one sort, and what else is
 * said of them is the same, or one of them is what a thing is.
 */
function isPlainly(
  newer: Said,
  older: Said,
  value: readonly string[],
  old: readonly string[],
): boolean {
  const sort = sortOf(value);
  if (sort !== sortOf(old)) return false;
  if (sort === 'name') return isNamedAnew([newer.text, value], [older.text, old]);
  if (sort !== 'time') return value.length === 1 && old.length === 1;
  const others = (words: readonly string[]) => words.filter((word) => sortOf([word]) === 'name');
  return others(value).length === 0 && others(old).length === 0;
}

/** What a sentence says of a thing, and the words of it that are looked at. */
type Value = readonly [text: string, value: readonly string[]];

/**
 * "The lead is [Maria]" and "the lead is [Jonas]", "in [Rome]" and "in [Bonn]". "Lena is [vegetarian]"
 * and "Lena is [allergic to nuts]", "the car is [red]" and "the car is in [the garage]" are two things.
 */
function isNamedAnew(now: Value, before: Value): boolean {
  const [form, old] = [formOf(now), formOf(before)];
  if (form === undefined || form !== old) return false;
  return form !== '' || [now, before].every((said) => isOneThing(said) && isName(said));
}

/** Whether both say what a thing is or where it is, and in the same form. */
export function areOfOneForm(newer: string, older: string): boolean {
  const said = (text: string) => ({ text, kind: 'fact' });
  const [now, before] = wordsOfBoth(said(newer), said(older));
  const shared = setOf(now).intersection(setOf(before));
  const [[value = [], ...more], [old = [], ...others]] = [
    runsOf(now, shared),
    runsOf(before, shared),
  ];
  const form = formOf([newer, value]);
  return more.length + others.length === 0 && form !== undefined && form === formOf([older, old]);
}

/** One says where a thing is, the other what it is: "in [Rome]" and "[closed]". */
function saysWhereOfOne(now: Value, before: Value): boolean {
  const [form, old] = [formOf(now), formOf(before)];
  return form !== undefined && old !== undefined && (form === '') !== (old === '');
}

/** The prepositions between "is" and a value, '' without; undefined for "is a [designer]", "has [it]". */
function formOf([text, value]: Value): string | undefined {
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
function isOneThing([text]: Value): boolean {
  const [first = ''] = plainWords(text);
  return ownWords.has(first) || !/^\P{L}*\p{Lu}/u.test(text);
}

/** "[Maria]", "the [harbour]", and not "[closed]". */
function isName([text, value]: Value): boolean {
  const words = text.match(/[\p{L}\p{N}]\S*/gu) ?? [];
  const at = words.findIndex((word) => plainWords(word).some((part) => value.includes(stem(part))));
  return /^\p{Lu}/u.test(words[at] ?? '') || ownWords.has((words[at - 1] ?? '').toLowerCase());
}

/** "in [Rome] at [8]" against "in [Bonn] at [9]": a preposition of both stands between two values. */
function saysTwoThings(
  newer: string,
  older: string,
  value: readonly string[],
  old: readonly string[],
): boolean {
  const [now, before] = [plainWords(newer), plainWords(older)];
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
      isSplit(now, value, word) &&
      isSplit(before, old, word),
  );
}

/**
 * Values that look alike and are said of different things: "[port 8080]" and "[Debian 12]", "answers
 * within [24 hours]" and "is closed on [Sundays]", the "[billing] service" and the "[search] service".
 */
function isOtherThing(
  value: readonly string[],
  old: readonly string[],
  [now, newer]: readonly [words: readonly Word[], text: string],
  [before, older]: readonly [words: readonly Word[], text: string],
): boolean {
  const isName = (word: string) => sortOf([word]) === 'name';
  if (value.every(isName) && old.every(isName)) {
    return isQualifier(value, now, newer) && isQualifier(old, before, older);
  }
  const [said, was] = [value.filter(isName), old.filter(isName)];
  const isLabelled = (words: readonly string[]) => isName(words[0] ?? '');
  return said.length > 0 && was.length > 0 && isLabelled(value) && isLabelled(old);
}

/**
 * "The [exam] moved to Friday" beside "the [party] is on Friday": the subject is another, and only
 * when or where it is is said of both. "[Tom] reviews the code" and "[Tom] is the lead" are not so.
 */
function sharesOnlyWhere(
  text: string,
  value: readonly string[],
  shared: ReadonlySet<string>,
): boolean {
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
function saysWhose(text: string, value: readonly string[]): boolean {
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
function doOtherThings(now: Value, before: Value): boolean {
  const hasVerb = ([text, value]: Value) => value.length > 1 && !isNamedInFull(text, value);
  const stands = ([text, value]: Value) => value.includes(stemsOf(text)[0] ?? '');
  return [now, before].every(hasVerb) && [now, before].some(stands);
}

/** "Maria Lopez" */
function isNamedInFull(text: string, value: readonly string[]): boolean {
  const words = text.match(/[\p{L}\p{N}]\S*/gu) ?? [];
  const own = words.filter((word) => plainWords(word).some((part) => value.includes(stem(part))));
  return own.every((word) => /^\p{Lu}/u.test(word));
}

/** "[works] in Lisbon", of one who lives in Porto: nothing else in the sentence links or changes. */
function hasOwnVerb(value: readonly string[], words: readonly Word[]): boolean {
  const at = words.findIndex(({ word }) => value.includes(word));
  return value.length > 1 && at > 0 && words.every(({ breaks }) => !breaks);
}

/**
 * Whether a value only tells which one of several is meant: the "[search] service", and neither
 * "[Ana] reviews the code" nor a flag that "is [off] in production".
 */
function isQualifier(value: readonly string[], words: readonly Word[], text: string): boolean {
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

const prepositions = new Set(
  'on in at to under behind below above near beside inside outside im am auf an unter hinter neben bei en al bajo tras au aux dans sous sur chez derriere devant em no na ao sob'.split(
    ' ',
  ),
);
const places = prepositions.union(
  new Set('to into onto until from nach zu zum zur bis ab a hasta desde vers para ate'.split(' ')),
);
const ordinal =
  /^(?:first|second|third|[a-z]+th|\d+(?:st|nd|rd|th|e|eme|o|a)|(?:erst|zweit|dritt|viert|funft|sechst|siebt|acht|neunt|zehnt|elft|zwolft)e[nrms]?|(?:primer|segund|tercer|cuart|quint|sext|septim|octav|noven|decim|terceir|quart|setim|oitav|non)[oa]?|primeir[oa]|premiere?|[a-z]+ieme)$/;

/** "the port is random", and not "the meeting is in room four": there may be other things to say. */
function isPlainlyNamed({ text }: Said): boolean {
  const words = plainWords(text);
  const next = words[words.findIndex((word) => linkWords.has(word)) + 1] ?? '';
  return isSaidOf(text) && (!smallWords.has(next) || articles.has(next));
}

const articles = new Set(
  'the a an our der die das ein eine el la los las un una le les une o os as um uma'.split(' '),
);

/** "X is Y": what X is, is one. */
function isSaidOf(text: string): boolean {
  return plainWords(text).some((word) => beWords.has(word));
}

type Sort = 'time' | 'number' | 'address' | 'name';

function sortOf(words: readonly string[]): Sort {
  if (words.some((word) => timeWords.has(word) || /\d:\d|^\d+(?:am|pm|h)$/.test(word)))
    return 'time';
  if (words.some((word) => /\w[.@/]\w/.test(word) && !/^[\d.,]+$/.test(word))) return 'address';
  // "S3" and "heron42" are names
  return words.some((word) => /^v?\d/.test(word) || numberWords.has(word)) ? 'number' : 'name';
}

/** "at 9" and "at half past ten" may be said of one thing; "on Mondays" and "in room four" may not. */
function areAlike(value: readonly string[], old: readonly string[]): boolean {
  const [one, other] = [sortOf(value), sortOf(old)];
  const isClock = (sort: Sort) => sort === 'time' || sort === 'number';
  const isBare = [...value, ...old].every((word) => sortOf([word]) !== 'name');
  return one === other || (isBare && isClock(one) && isClock(other));
}

const timeWords = new Set(
  `monday tuesday wednesday thursday friday saturday sunday midnight noon morning evening today
   tomorrow day week month year hour minute am pm o'clock january february march april may june july august september october november december
   montag dienstag mittwoch donnerstag freitag samstag sonntag mitternacht mittag uhr woche monat stunde
   januar februar marz april mai juni juli august september oktober november dezember
   lune marte miercole jueve vierne sabado domingo medianoche mediodia hora dia semana
   enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
   lundi mardi mercredi jeudi vendredi samedi dimanche minuit midi heure jour semaine
   janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre
   segunda terca quarta quinta sexta sabado domingo meia-noite meio-dia hora
   janeiro fevereiro marco maio junho julho setembro outubro novembro dezembro`.split(/\s+/),
);

const numberWords = new Set(
  `zero one two three four five six seven eight nine ten eleven twelve twenty fifty hundred thousand
   eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf zwanzig hundert tausend
   uno dos tres cuatro cinco seis siete ocho nueve diez once doce veinte cien mil
   deux trois quatre cinq sept huit neuf dix onze douze vingt cent mille
   dois duas quatro sete oito nove dez onze doze vinte cem`
    .split(/\s+/)
    .map(stem),
);

/** One says it in another language than the other: what they share may mean two things. */
function speaksOtherwise(newer: string, older: string): boolean {
  const language = (text: string) =>
    preferVerbs.findIndex((verb) => plainWords(text).some((word) => verb.test(word)));
  const [now, before] = [language(newer), language(older)];
  return now >= 0 && before >= 0 && now !== before;
}

const preferVerbs = [
  /^prefer(?:red)?$/,
  /^(?:bevorzug|lieber$)/,
  /^prefier/,
  /^prefer(?:e|ons)$/,
  /^prefir/,
];

/**
 * "[Spaces] for indentation", "[dark] themes", "the queue on [Redis]": what is said of both is what
 * it is chosen for. "[Tea] without sugar" and "[meetings] in the morning" may be chosen beside others.
 */
function isOnTopic(text: string, value: readonly string[], shared: ReadonlySet<string>): boolean {
  const words = plainWords(text);
  const last = words.findLastIndex((word) => value.includes(stem(word)));
  const behind = words.slice(last + 1);
  const at = behind.findIndex((word) => shared.has(stem(word)));
  const between = at < 0 ? [] : behind.slice(0, at + 1);
  const isJoined = (word: string) => smallWords.has(word) || withoutWords.has(word);
  return between.every((word) => !isJoined(word) || topics.has(word) || ownWords.has(word));
}

const withoutWords = new Set('without ohne sin sans sem'.split(' '));

const topics = new Set('for as when over to fur als zum zur statt para como pour comme'.split(' '));

function isObject(words: readonly Word[], value: readonly string[]): boolean {
  const at = words.findIndex(({ word }) => value.includes(word));
  return at >= 0 && at <= 2;
}

function endsWith(words: readonly Word[], value: readonly string[]): boolean {
  return value.includes(words.at(-1)?.word ?? '');
}

/** Words in which one sentence differs from the other, in pieces that stand apart. */
function runsOf(words: readonly Word[], shared: ReadonlySet<string>): string[][] {
  const runs: string[][] = [];
  let run: string[] = [];
  for (const { word, breaks } of [...words, { word: '', breaks: true }]) {
    if (breaks || shared.has(word)) {
      if (run.length > 0) runs.push(run);
      run = [];
    } else run.push(word);
  }
  return runs;
}

function setOf(words: readonly Word[]): Set<string> {
  return new Set(words.filter(({ breaks }) => !breaks).map(({ word }) => word));
}

/** Whether a verb of change stands in a sentence, behind what changes: "the demo moved to Friday". */
export function isPlainChange(text: string): boolean {
  const words = plainWords(text);
  return words.findIndex((word) => changeWords.has(word)) > 0;
}

/** The words of both sentences without joining words. */
function wordsOfBoth(newer: Said, older: Said): [Word[], Word[]] {
  const [now, before] = [plainWords(newer.text), plainWords(older.text)];
  const isChoice = newer.kind !== 'fact' || older.kind !== 'fact';
  const read = (words: readonly string[]): Word[] =>
    words.flatMap((word, at): Word[] => {
      if (isChoice && choiceWords.has(word)) return [];
      if (isSwitch(words, at)) return [{ word, breaks: false }];
      if (nowWords.has(word) || degreeWords.has(word)) return [];
      const isPlace =
        placeWords.has(word) || /^takes? place$/.test(words.slice(at, at + 2).join(' '));
      // "es" is one of both
      if (isPlace || linkWords.has(word) || changeWords.has(word)) return [{ word, breaks: true }];
      if (pronouns.has(word)) return [];
      // "takes place", "went up to"
      const last = words[at - 1] ?? '';
      if (word === 'place' && /^takes?$/.test(last)) return [];
      // "put off until"
      if (isPutOff(words, at)) return [{ word, breaks: true }];
      if (isPutOff(words, at - 1)) return [];
      if (/^(?:up|down)$/.test(word) && changeWords.has(last)) return [];
      return smallWords.has(word) || notWords.has(word)
        ? []
        : [{ word: stem(word), breaks: false }];
    });
  const [nowRead, beforeRead] = [read(now), read(before)];
  return [joinVerbs(nowRead, beforeRead), joinVerbs(beforeRead, nowRead)];
}

function isPutOff(words: readonly string[], at: number): boolean {
  return words[at] === 'put' && /^(?:off|back|forward)$/.test(words[at + 1] ?? '');
}

/** "the flag is on in production", "the lights are off": a value, and no preposition. */
function isSwitch(words: readonly string[], at: number): boolean {
  const [word = '', next = 'in'] = words.slice(at, at + 2);
  return /^(?:on|off)$/.test(word) && beWords.has(words[at - 1] ?? '') && behindSwitch.test(next);
}

const behindSwitch = /^(?:in|at|for|by|now|again|everywhere|today)$/;

/** "finden … statt" is "stattfinden" where the other sentence says it so. */
function joinVerbs(words: readonly Word[], other: readonly Word[]): Word[] {
  const said = new Set(words.map(({ word }) => word));
  const last = words.at(-1)?.word ?? '';
  const whole = other.find(({ word }) => {
    const verb = word.slice(last.length);
    return last.length > 1 && verb.length > 2 && word.startsWith(last) && said.has(verb);
  })?.word;
  if (whole === undefined) return [...words];
  const verb = whole.slice(last.length);
  return words
    .slice(0, -1)
    .map((each) => (each.word === verb ? { word: whole, breaks: false } : each));
}

/** Plural and person of a verb make no other word. */
function stem(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** The subject of a fact in its own words: those before a link or change, else all but the last. */
export function subjectOf(text: string): string {
  const words = plainWords(text);
  const isVerb = (word: string, place: number) =>
    linkWords.has(word) ||
    changeWords.has(word) ||
    (placeWords.has(word) && smallWords.has(words[place + 1] ?? ''));
  const at = words.findIndex(isVerb);
  const upTo = at > 0 ? words.slice(0, at) : words.slice(0, -1);
  const said = upTo.filter(
    (word) => !smallWords.has(word) && !nowWords.has(word) && !pronouns.has(word),
  );
  return said.slice(0, 12).join(' ');
}

/** Whether a sentence is about what was spoken of before: "it is seven now". */
export function isIndirect(text: string): boolean {
  const words = plainWords(text);
  if (words[0] === 'se' && changeWords.has(words[1] ?? '')) return !hasOwnObject(words.slice(1));
  const at = words.findIndex((word) => pronouns.has(word));
  // "it is", "steht er": nothing else stands before it
  if (at !== 0 && !(at === 1 && contentWord(words[0] ?? ''))) return false;
  const rest = words.slice(at + 1);
  const next = rest[0] ?? '';
  if (rest.some((word) => whoWords.has(word)) || hasOwnObject(rest)) return false;
  return !shownPronouns.has(words[at] ?? '') || linkWords.has(next) || changeWords.has(next);
}

/** "It is no longer Luc who does it." */
const whoWords = new Set('who qui quien quem'.split(' '));

/** "They moved the party to June", "er hat den Termin verschoben": it names what changes. */
function hasOwnObject(words: readonly string[]): boolean {
  const isChange = (word = '') => changeWords.has(word) && !/^bec[ao]me/.test(word);
  if (!words.some(isChange)) return false;
  const isJoining = (word: string, at: number) =>
    linkWords.has(word) || nowWords.has(word) || (at === 0 && word === 'a');
  const verb = words.findIndex((word, at) => !isJoining(word, at));
  const at = isChange(words[verb]) ? verb + 1 : verb;
  const [object = '', ...rest] = words.slice(at);
  if (ownWords.has(object) || someWords.has(object)) return object !== 'a';
  const isThing = contentWord(object) && !ways.has(object) && sortOf([object]) === 'name';
  return isThing && at > verb && rest.some((word) => smallWords.has(word));
}

const ways = new Set('back forward forth up down out over again ahead'.split(' '));

function contentWord(word: string): boolean {
  return ![smallWords, nowWords, linkWords, changeWords].some((list) => list.has(word));
}
