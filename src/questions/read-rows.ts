import type { Reading } from '../contracts/intent.ts';
import { stemWord } from '../lib/text/words.ts';
import { type KindRow, type Named, stems } from './kind.ts';
import { allKinds } from './kinds.ts';
import { asClass, isBareWord, readBag, type WordBag } from './words/word-bag.ts';

const read = allKinds.flatMap((kind) =>
  (kind.rows ?? []).map((row) => {
    const groups = row.all.map((each) => new Set(stems(each)));
    return {
      kind,
      row,
      groups,
      known: new Set([...groups.flatMap((each) => [...each]), ...stems(row.also ?? '')]),
    };
  }),
);

/** A word that this kind, or else some kind, is told by. */
export function isKindWord(word: string, of?: (typeof allKinds)[number]): boolean {
  const stem = stemWord(word);
  return read.some(({ kind, known }) => (of === undefined || kind === of) && known.has(stem));
}

/** What a question is read as: kinds whose names are plain to see, or that need none, and guesses. */
export type Kinds = { sure: Reading[]; guessed: Reading[] };

/**
 * Every kind that the words of a question fit, the most particular first.
 *
 * @param own what the project and its programs are called
 */
export function readKinds(question: string, own: readonly string[] = []): Kinds {
  const bag = readBag(question, own);
  const found: { reading: Reading; rank: number }[] = [];
  for (const { row, groups, known } of bag === undefined ? [] : read) {
    if (bag === undefined) break;
    if (!groups.every((group) => [...group].some((word) => bag.all.has(word)))) continue;
    const unknown = bag.words.filter((word) => !known.has(word));
    const named = namedBy(row, bag, unknown, own);
    const reading = named === undefined ? undefined : row.reads({ ...named, bag });
    if (named === undefined || reading === undefined) continue;
    const rank = named.isGuess ? 2 : row.names === 'nothing' ? 1 : 0;
    found.push({ reading: reading as Reading, rank: rank + (row.isLast === true ? 0.5 : 0) });
  }
  const sorted = found.toSorted((one, other) => one.rank - other.rank);
  return {
    sure: sorted.filter(({ rank }) => rank < 2).map(({ reading }) => reading),
    guessed: sorted.filter(({ rank }) => rank >= 2).map(({ reading }) => reading),
  };
}

const article = String.raw`(?:(?:an?|the)\s+)?`;
const compares = String.raw`["'\x60]?([\p{L}_$][\p{L}\p{N}_$.:#]*?)(?:\(\))?["'\x60]?`;
/** Also plain words are names here: `between a blueprint and an app`. */
const compared = new RegExp(
  `\\b(?:between|compare)\\s+${article}${compares}\\s+(?:and|with|to|vs\\.?)\\s+${article}${compares}\\s*[?.!]*$`,
  'iu',
);

type Found = Omit<Named, 'bag'> & { isGuess: boolean };

const none: Found = {
  ...{ name: '', second: '', file: '', isWord: false, isGuess: false },
  words: [],
};
/** Words for parts of code, which a project may have many of. */
const ofMany = /^(?:hooks|components|decorators|macros|helpers|modules)$/i;
/** More of them name no one thing. */
const mostWords = 3;

function namedBy(
  { names }: KindRow,
  bag: WordBag,
  unknown: readonly string[],
  own: readonly string[],
): Found | undefined {
  const [file] = bag.files;
  const isOwn = (word: string): boolean =>
    own.some((each) => each.toLowerCase() === word.toLowerCase());
  const all = [
    ...bag.names.map(({ name, isSure }) => ({ name, isSure, stem: undefined })),
    ...unknown.map((stem) => ({ name: bag.written.get(stem) ?? stem, isSure: false, stem })),
  ].toSorted((one, other) => bag.question.indexOf(one.name) - bag.question.indexOf(other.name));
  if (names === 'words') {
    const unsaid = [...bag.written.values()].filter((word) => ofMany.test(word));
    const named = all.filter(({ name }) => !isOwn(name)).map(({ name }) => name);
    const words = named.length > 0 ? named : unsaid;
    const isSome = words.length > 0 && words.length <= mostWords;
    return isSome && file === undefined ? { ...none, words, isGuess: true } : undefined;
  }
  const wanted = names === 'two names' ? 2 : names === 'nothing' || names === 'file' ? 0 : 1;
  if (names === 'two names') {
    const pair = compared.exec(bag.question);
    const asked = (at: number): string => asClass(pair?.[at] ?? '', bag.question);
    if (pair !== null) return { ...none, name: asked(1), second: asked(2) };
  }
  // The project itself may be called by its name.
  const named = all.length > wanted ? all.filter(({ name }) => !isOwn(name)) : all;
  if (named.length !== wanted) return undefined;
  const [first, second] = named;
  if (names === 'file') return file === undefined ? undefined : { ...none, file };
  if (file !== undefined) return undefined;
  if (first === undefined) return none;
  if (second !== undefined) return { ...none, name: first.name, second: second.name };
  const isGuess = first.stem !== undefined;
  const found = { ...none, name: first.name, isWord: !first.isSure, isGuess };
  if (names === 'word') return { ...found, isGuess: true };
  return first.stem === undefined || isBareWord(bag, first.stem) ? found : undefined;
}
