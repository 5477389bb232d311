import {
  beWords,
  changeWords,
  choiceWords,
  degreeWords,
  linkWords,
  newWords,
  notWords,
  nowWords,
  ownWords,
  placeWords,
  plainWords,
  pronouns,
  smallWords,
} from '../../contracts/fact-words.ts';
import type { MemoryRecord } from '../../contracts/memory.ts';
import { homesOf } from './home-of.ts';

export type Said = Pick<MemoryRecord, 'text' | 'kind'>;

/** A word that counts; `breaks`: what stands before it and behind it are two things. */
export type Word = { word: string; breaks: boolean };

/**
 * The words of both sentences without joining words.
 *
 * @param hasLeft the newer one said what was before
 */
export function wordsOfBoth(newer: Said, older: Said, hasLeft: boolean): [Word[], Word[]] {
  const [now, before] = [plainWords(newer.text), plainWords(older.text)];
  const isChoice = newer.kind !== 'fact' || older.kind !== 'fact';
  const read = (words: readonly string[]): Word[] =>
    words.flatMap((word, at): Word[] => {
      if (isChoice && choiceWords.has(word)) return [];
      if (isSwitch(words, at)) return [{ word, breaks: false }];
      if (nowWords.has(word) || degreeWords.has(word)) return [];
      if (newWords.has(word) && isOwn(words, at)) return [];
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
  const homes = homesOf(newer.text, older.text, hasLeft)?.map(({ who, where }): Word[] => [
    { word: who, breaks: false },
    { word: 'live', breaks: true },
    ...read(where),
  ]);
  if (homes !== undefined) return homes as [Word[], Word[]];
  const [nowRead, beforeRead] = [read(now), read(before)];
  return [joinVerbs(nowRead, beforeRead), joinVerbs(beforeRead, nowRead)];
}

/** "our new CTO", "el nuevo jefe", and "notre chef est nouveau" is not so. */
function isOwn(words: readonly string[], at: number): boolean {
  return ownWords.has(words[at - 1] ?? '') && at + 1 < words.length;
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

export function setOf(words: readonly Word[]): Set<string> {
  return new Set(words.filter(({ breaks }) => !breaks).map(({ word }) => word));
}

/** Words in which one sentence differs from the other, in pieces that stand apart. */
export function runsOf(words: readonly Word[], shared: ReadonlySet<string>): string[][] {
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

export function stemsOf(text: string): string[] {
  return plainWords(text)
    .filter((word) => ![smallWords, nowWords, degreeWords].some((list) => list.has(word)))
    .map(stem);
}

/** Plural and person of a verb make no other word. */
export function stem(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** "runs" and "run", "führt" and "geführt", "dirige" and "dirigido", "keeps" and "kept". */
export function isFormOf(word: string, verb: string): boolean {
  const one = word.replace(/^ge/, '');
  const other = verb.replace(/^ge/, '');
  const least = Math.max(3, Math.min(one.length, other.length) - 2);
  if (one.slice(0, least) === other.slice(0, least)) return true;
  return irregular.some((forms) => forms.includes(stem(word)) && forms.includes(stem(verb)));
}

const irregular = 'lead led|keep kept|hold held|teach taught|do done|make made|sell sold|sing sung'
  .split('|')
  .map((forms) => forms.split(' '));
