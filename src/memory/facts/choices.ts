import {
  beWords,
  changeWords,
  choiceWords,
  linkWords,
  nowWords,
  ownWords,
  plainWords,
  pronouns,
  smallWords,
  useWords,
} from '../../contracts/fact-words.ts';
import { feelWords } from './handover-words.ts';
import { sortOf } from './sort-of.ts';
import { articles, prepositions, type Side } from './tell-apart.ts';
import { type Said, stem } from './words-of-facts.ts';

/** Whether a decision or a preference takes the place of another one. */
export function isChosen(now: Side, before: Side, shared: ReadonlySet<string>): boolean {
  return [now, before].every((side) => isObject(side) && isOnTopic(side, shared));
}

/** One says it in another language than the other: what they share may mean two things. */
export function speaksOtherwise(newer: string, older: string): boolean {
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
function isOnTopic({ text, kind, value }: Side, shared: ReadonlySet<string>): boolean {
  const words = plainWords(text);
  const last = words.findLastIndex((word) => value.includes(stem(word)));
  const behind = words.slice(last + 1);
  const at = behind.findIndex((word) => shared.has(stem(word)));
  if (at < 0) return true;
  // decided of a place it is one thing, of a day there may be others
  if (kind === 'decision') return sortOf([stem(behind[at] ?? '')]) === 'name';
  const between = behind.slice(0, at + 1);
  const isJoined = (word: string) => smallWords.has(word) || withoutWords.has(word);
  const isArticle = (word: string) => ownWords.has(word) || articles.has(word);
  return between.every((word) => !isJoined(word) || isArticle(word) || topics.has(word));
}

const withoutWords = new Set('without ohne sin sans sem'.split(' '));

const topics = new Set('for as when over to fur als zum zur statt para como pour comme'.split(' '));

function isObject({ words, value }: Side): boolean {
  const at = words.findIndex(({ word }) => value.includes(word));
  return at >= 0 && at <= 2;
}

/**
 * "We switched from Jenkins to Drone" says no word of what it is for: it is about a fact that says
 * that Jenkins is used, or that it is the CI, and about none that only says something of Jenkins.
 */
export function isChosenAnew(newer: Said, older: Said, named: readonly string[]): boolean {
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
