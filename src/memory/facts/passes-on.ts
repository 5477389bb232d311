import {
  degreeWords,
  linkWords,
  nowWords,
  plainWords,
  smallWords,
  useWords,
} from '../../contracts/fact-words.ts';
import { feelWords, keepWords } from './handover-words.ts';
import { readChange } from './read-change.ts';
import { type Handover, type Passive, readHandover, readPassive } from './read-handover.ts';
import { isSaidOf, prepositions } from './tell-apart.ts';
import { isFormOf, stem, stemsOf } from './words-of-facts.ts';

type Newer = { text: string; isChange: boolean };

type Passing = {
  /** the fact says who had it, and no more */
  isPlain: boolean;
  /** nobody has it now */
  isEnd: boolean;
  /** the fact says with the same verb who does it */
  isSaid: boolean;
};

/** Of a fact that was a change itself, what it says of before is past. */
export function settledText(told: string): string {
  const { next, thing, isRole } = readHandover(told) ?? {};
  if (next === undefined || thing === undefined) return readChange(told).text;
  return `${next} ${isRole ? 'is' : 'has'} ${thing}`;
}

/**
 * Whether a sentence says that something passed on, and what that means for a fact.
 *
 * @returns undefined where it says nothing of that kind
 */
export function comparePassing(newer: Newer, told: string): Passing | undefined {
  const older = settledText(told);
  const handed = readHandover(newer.text);
  if (handed !== undefined) {
    const isPlain = passesOn(handed, older, told !== older);
    return { isPlain, isEnd: handed.next === undefined, isSaid: false };
  }
  const passive = newer.isChange ? readPassive(newer.text) : undefined;
  if (passive === undefined) return undefined;
  const isSaid = hasVerb(older, passive.verb);
  return { isPlain: isDoneByAnother(passive, older), isEnd: false, isSaid };
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

/** "Sits in the archive": a preposition stands outside of what is named. */
function isElsewhere(older: string, thing: string): boolean {
  const own = new Set(plainWords(thing));
  return plainWords(older).some((word) => prepositions.has(word) && !own.has(word));
}
