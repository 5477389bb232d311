import { decodeText } from '../lib/text/decode-text.ts';
import { hasLongLines, type TalliedText, talliedText } from '../paths/present-file.ts';
import { createWordCounter } from './count-words.ts';

/** The windows in which `tally` counts where nothing else is asked. */
export const indexedWindow = { lines: 40, overlap: 10 } as const;

/** What an index keeps of a file, so that a search need not read it. */
export type FileWords = {
  /** bytes of what `scan` looks into; -1 for a file that it does not take for text */
  bytes: number;
  /** as `scan` decodes it; empty for a file that no match can be in */
  text: string;
  /**
   * every search reads the file: it is too large for the index, or holds letters that fold
   * otherwise
   */
  isOpaque: boolean;
  /** the words of each window that `tally` counts, by spaces: see `wordsOf()` */
  windows: string[];
  /** sum of the lengths of all windows, in parts of identifiers */
  length: number;
};

/** Letters beyond ASCII that a search ignoring case takes for `s` and `k`. */
const twins = /[\u017f\u212a]/;
const opaqueBytes = 4 * 1024 * 1024;
const counter = createWordCounter([]);

/** @param length of the file in the buffer, -1 for what is no text; a zero stands behind it */
export function readFileWords(buffer: Buffer, length: number): FileWords {
  const isOpaque = length > opaqueBytes;
  const words: FileWords = { bytes: length, text: '', isOpaque, windows: [], length: 0 };
  if (length < 0 || isOpaque) return words;
  const text = decodeText(buffer, length);
  if (!text.includes('\0')) words.text = text;
  words.isOpaque = twins.test(text);
  const tallied = talliedText(buffer, length);
  if (tallied !== undefined) addWindows(words, tallied);
  return words;
}

function addWindows(words: FileWords, { bytes, start, end }: TalliedText): void {
  counter.count(bytes, start, end);
  const { lines, partsBefore } = counter;
  if (hasLongLines(end, lines)) return;
  const starts = [start];
  for (let at = bytes.indexOf(10, start); at >= 0 && at < end; at = bytes.indexOf(10, at + 1)) {
    starts.push(at + 1);
  }
  const step = indexedWindow.lines - indexedWindow.overlap;
  for (let first = 0; first < lines; first += step) {
    const behind = Math.min(first + indexedWindow.lines, lines);
    words.length += (partsBefore[behind] as number) - (partsBefore[first] as number);
    words.windows.push(wordsOf(bytes.toString('latin1', starts[first], starts[behind] ?? end)));
    if (behind === lines) break;
  }
}

/** A byte beyond ASCII is part of a letter, see `word-parts`. */
const identifier = /[A-Za-z0-9_\x80-\xff]+/g;
const part = /[A-Z]+(?![a-z\x80-\xff])|[A-Z]?[a-z\x80-\xff]+|[0-9]+/g;

/**
 * The identifiers of a text without leading `_`, and their parts, each once. A window holds a word
 * if one of these begins with it.
 *
 * @param text UTF-8, a character a byte
 */
function wordsOf(text: string): string {
  const words = new Set<string>();
  for (const name of text.match(identifier) ?? []) {
    if (words.has(name)) continue;
    words.add(name);
    if (name.startsWith('_')) words.add(name.replace(/^_+/, ''));
    for (const each of name.match(part) ?? []) words.add(each);
  }
  return [...words].join(' ');
}
