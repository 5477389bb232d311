import type { fs } from '@cuervo/sdk';
import { isSourceAt } from '../passages/path-factor.ts';
import { stopWords } from '../passages/stop-words.ts';
import { nearWord } from './near-word.ts';
import { type FoundSymbol, readSymbol, symbolGlobs } from './read-symbol.ts';

/** Characters of a text that are read, and words of it. */
const maxText = 400;
const maxWords = 14;
/** Words of one name. */
const mostParts = 4;
/** Lines that the host hands over to be looked at. */
const maxLines = 2000;
/** Shorter words are near too many others. */
const leastLetters = 5;
/** They say what is looked for, and are seldom part of its name. */
const nouns = /^(?:class|struct|interface|trait|enum|type|function|method|constant|variable)s?$/;

export type NamesFound = {
  /** the text with what was found in the place of how it was written */
  text: string;
  /** definitions that are named by words which stand beside each other */
  names: { written: string; name: string; path: string; line: number }[];
  /** words that stand nowhere, with the one of the workspace that is nearly the same */
  spelled: { written: string; meant: string }[];
};

type Host = Pick<typeof fs, 'scan'>;
type Word = { text: string; start: number; end: number };

/**
 * What a text means that was typed without care: `packet types` is `PacketType` where something is
 * called so, and `intervall` an `interval`.
 */
export function findNames(host: Host, wish: { text: string; place: string }): NamesFound {
  const asked = wish.text.slice(0, maxText);
  const spelled = misspelled(host, wordsIn(asked), wish.place);
  const text = spelled.reduce(
    (rest, { written, meant }) =>
      rest.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}])${written}(?![\\p{L}\\p{N}])`, 'giu'), meant),
    asked,
  );
  const names = namesIn(host, text, wish.place);
  const whole = names.reduce((rest, { written, name }) => rest.replace(written, name), text);
  return { text: `${whole}${wish.text.slice(maxText)}`, names, spelled };
}

/** Parts of a name that is written as code are words of their own. */
function wordsIn(text: string): string[] {
  const all =
    text
      .replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  return [...new Set(all)].filter((word) => !stopWords.has(word)).slice(0, maxWords);
}

/** Words that no line holds, each with what it may have been. */
function misspelled(host: Host, words: readonly string[], place: string): NamesFound['spelled'] {
  let unseen = words.filter((word) => word.length >= leastLetters && /^[a-z]+$/.test(word));
  const scan = (pattern: string, limit: number) =>
    host.scan(place, { pattern, caseInsensitive: true, limit }).matches;
  for (let before = -1; unseen.length > 0 && unseen.length !== before; ) {
    before = unseen.length;
    const lines = scan(unseen.map(bare).join('|'), 100).map(({ text }) => text.toLowerCase());
    unseen = unseen.filter((word) => !lines.some((line) => line.includes(bare(word))));
  }
  return unseen.flatMap((written) => {
    const rest = `[a-z]{${written.length - 4},${written.length - 2}}`;
    const lines = scan(`${written.slice(0, 3)}${rest}|${rest}${written.slice(-3)}`, maxLines);
    const meant = nearWord(
      written,
      lines.map(({ text }) => text),
    );
    return meant === undefined ? [] : [{ written, meant }];
  });
}

/** `types` stands where `type` does. */
function bare(word: string): string {
  return word.replace(/(?<=[^s])s$/, '');
}

/** Names that consecutive words of a text make, longer ones first. */
function namesIn(host: Host, text: string, place: string): NamesFound['names'] {
  const runs = runsOf(text);
  if (runs.length === 0) return [];
  // One word alone is no name but of what has values to choose from.
  const [ones, others] = [runs.filter(isOne), runs.filter((run) => !isOne(run))];
  // Without look-around: see `symbolPattern()`.
  const pattern = [
    ...(others.length === 0 ? [] : [`(?:^|[^A-Za-z0-9])(?:${others.map(spelledRun).join('|')})`]),
    ...(ones.length === 0 ? [] : [`enum\\s+(?:${ones.map(spelledRun).join('|')})`]),
  ]
    .map((each) => `${each}(?:$|[^A-Za-z0-9_])`)
    .join('|');
  const walk = { include: [...symbolGlobs] };
  const { matches } = host.scan(place, { pattern, caseInsensitive: true, limit: maxLines, walk });
  const found = new Map<string, FoundSymbol[]>();
  for (const match of matches) {
    const symbol = readSymbol(match);
    // A name of tests and documents alone is not the project's name for a thing.
    if (symbol === undefined || !isOwn(symbol)) continue;
    const key = plain(symbol.name);
    found.set(key, [...(found.get(key) ?? []), symbol]);
  }
  const taken: Word[] = [];
  return runs.flatMap((run) => {
    const isTaken = taken.some(({ start, end }) => run.start < end && start < run.end);
    const all = found.get(plain(run.text)) ?? [];
    const [best] = all
      .filter(({ kind }) => kind === 'enum' || !isOne(run))
      .toSorted((one, other) => rank(one) - rank(other));
    if (isTaken || best === undefined) return [];
    taken.push(run);
    return [{ written: run.text, name: best.name, path: best.path, line: best.line }];
  });
}

function isOne({ text }: Word): boolean {
  return /^\p{L}+$/u.test(text);
}

function isOwn({ path }: FoundSymbol): boolean {
  return isSourceAt(path);
}

const types = /^(?:class|struct|interface|trait|type|enum)$/;

/** Types before what is done with them, and what a file is about before its parts. */
function rank({ kind, text }: FoundSymbol): number {
  return (types.test(kind) ? 0 : 2) + (/^\s/.test(text) ? 1 : 0);
}

/** One to four words that stand beside each other, without such that say little. */
function runsOf(text: string): Word[] {
  // A file is called as it is.
  const plain = text.replace(/\S*[./]\S+/g, (path) => '.'.repeat(path.length));
  const words = [...plain.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    text: word,
    start: index,
    end: index + word.length,
  }));
  const runs: Word[] = [];
  for (let size = mostParts; size >= 1; size -= 1)
    for (let at = 0; at + size <= words.length; at += 1) {
      const parts = words.slice(at, at + size);
      const [first, last] = [parts[0], parts.at(-1)] as [Word, Word];
      const run = { text: text.slice(first.start, last.end), start: first.start, end: last.end };
      const isPlain = parts.some((part) => stopWords.has(part.text.toLowerCase()));
      if (!isPlain && /^[\p{L}\p{N}]+(?:[ _-]?[\p{L}\p{N}]+)*$/u.test(run.text)) runs.push(run);
    }
  const isNoun = ({ text }: Word): boolean => nouns.test(text.split(' ').at(-1) as string);
  return runs.slice(0, 40).toSorted((one, other) => Number(isNoun(one)) - Number(isNoun(other)));
}

function spelledRun({ text }: Word): string {
  return text
    .toLowerCase()
    .split(/[ _-]/)
    .map((word) => `${bare(word).replace(/(?<=[^aeiou])y$|ie$/, '(?:y|ie)')}s?`)
    .join('[_-]?');
}

/** `PacketType`, `packet_types` and `packet types` are the same. */
function plain(name: string): string {
  const words = name
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[\s_$-]+/);
  return words.map((word) => bare(word).replace(/ie$/, 'y')).join('');
}
