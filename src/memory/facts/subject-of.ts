import {
  changeWords,
  linkWords,
  nowWords,
  ownWords,
  placeWords,
  plainWords,
  pronouns,
  shownPronouns,
  smallWords,
  someWords,
} from '../../contracts/fact-words.ts';
import { sortOf } from './sort-of.ts';

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

/** Whether a verb of change stands in a sentence, behind what changes: "the demo moved to Friday". */
export function isPlainChange(text: string): boolean {
  const words = plainWords(text);
  return words.findIndex((word) => changeWords.has(word)) > 0;
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
