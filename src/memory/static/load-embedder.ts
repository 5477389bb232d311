import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Embedder } from '../../contracts/embedder.ts';
import { KernelError, reasonOf } from '../../contracts/error.ts';
import { memoizeSome, rememberLast } from '../../lib/memo.ts';
import { dotProduct } from '../../lib/numbers.ts';
import { plainCode } from '../texts.ts';
import {
  countLines,
  decodeTables,
  type EmbedderBytes,
  type EmbedderFile,
  requirePieces,
} from './embedder-file.ts';
import {
  indexWordPieces,
  type PieceIndex,
  type PieceTable,
  pieceTableFileName,
  readPieceTable,
} from './index-word-pieces.ts';

/** The embedder that comes along, beside the code that loads it. */
export const embedderFileName = 'static-embedder.ste';
/** The one that tells what code is about. */
export const codeEmbedderFileName = 'code-embedder.ste';

/** Characters of one text that are used: more hardly turn the sum, and the time is bounded. */
const maxCharacters = 20_000;
/** Directions of word pieces that are kept, a kilobyte each. */
const maxDirections = 8192;

/**
 * @param path of an embedder file, 6 to 8 MB
 * @throws {KernelError} `unavailable` when it cannot be read or is not such a file; so does what the
 *   embedder is asked for later
 */
export function loadEmbedder(path: string): Embedder {
  const orUnavailable = <Made>(read: () => Made): Made => {
    try {
      return read();
    } catch (thrown) {
      const reason = reasonOf(thrown);
      throw new KernelError('unavailable', `the embedder ${path} cannot be used: ${reason}`, {
        cause: thrown,
        hint: 'Install cuervo again: the file comes with it.',
      });
    }
  };
  const file = orUnavailable(() => openEmbedderFile(path));
  return createEmbedder(file, (row) => orUnavailable(() => file.need(row)));
}

/** Adds up one vector for each word piece of a text. */
function createEmbedder(file: OpenEmbedderFile, need: (row: number) => void): Embedder {
  const { dimensions, scales, values } = file;
  const tokenize = createTokenizer(file.vocabulary, file.pieces);
  const piecesOf = (text: string) => tokenize(text.slice(0, maxCharacters));
  // Two functions ask for the same block in turn, and cutting it is the most expensive part.
  const piecesOfCode = rememberLast((text) => piecesOf(plainCode(text.slice(0, maxCharacters))));
  const sumOf = (pieces: readonly number[]): Float32Array => {
    const sum = new Float32Array(dimensions);
    for (const piece of pieces) {
      const scale = scales[piece] ?? 0;
      if (scale === 0) continue;
      need(piece);
      const from = piece * dimensions;
      for (let at = 0; at < dimensions; at += 1) {
        sum[at] = (sum[at] as number) + scale * (values[from + at] as number);
      }
    }
    return normalize(sum);
  };
  // Tools are compared with one goal after the other.
  const directionOf = memoizeSome((piece: number) => sumOf([piece]), maxDirections);
  return {
    name: `static-${dimensions}`,
    dimensions,
    embed: (text) => sumOf(piecesOf(text)),
    embedCode: (text) => sumOf(piecesOfCode(text)),
    nearest: (words) => {
      const near = nearnessTo(words.map(piecesOf), directionOf);
      return (text) => near(piecesOf(text));
    },
    nearestInCode: (words) => {
      const near = nearnessTo(words.map(piecesOf), (piece) => sumOf([piece]));
      return (text) => near(piecesOfCode(text));
    },
  };
}

/**
 * For each word, how near a list of pieces comes to it: each piece of the word counts its nearest
 * one, and the word is their mean.
 *
 * @param words the pieces of each
 */
function nearnessTo(
  words: readonly (readonly number[])[],
  directionOf: (piece: number) => Float32Array,
): (pieces: readonly number[]) => number[] {
  const asked = words.flat();
  const directions = asked.map(directionOf);
  /** piece of code -> its nearness to each asked piece */
  const known = new Map<number, readonly number[]>();
  return (pieces) => {
    const best = new Float64Array(asked.length);
    for (const piece of pieces) {
      let near = known.get(piece);
      if (near === undefined) {
        const own = directionOf(piece);
        near = directions.map((direction) => dotProduct(direction, own));
        known.set(piece, near);
      }
      // A question passes here once for each tool, before the engine has compiled it.
      for (let at = 0; at < best.length; at += 1) {
        if ((near[at] as number) > (best[at] as number)) best[at] = near[at] as number;
      }
    }
    let from = 0;
    return words.map(({ length }) => {
      const own = best.slice(from, from + length);
      from += length;
      return own.reduce((sum, one) => sum + one, 0) / Math.max(1, length);
    });
  };
}

function normalize(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) return vector;
  const factor = 1 / Math.sqrt(squares);
  for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] as number) * factor;
  return vector;
}

/** A file whose `values` are read row by row, as they are needed. */
export type OpenEmbedderFile = Omit<EmbedderFile, 'notice'> & {
  /**
   * Reads a row, and those beside it, into `values`.
   *
   * @throws where the file cannot be read any more
   */
  need(row: number): void;
  /** of the vocabulary, where one lies beside the file */
  pieces: PieceTable | undefined;
};

/** Rows that are read at once: 3 to 4 KB. */
const groupRows = 16;
/**
 * So many groups are read one by one. A caller that needs more reads many texts; then the rest of
 * the file is read at once.
 */
const mostGroups = 400;

/** Closes files of embedders that nobody has any more. */
const forgotten = new FinalizationRegistry<number>(closeSync);

/**
 * Reads rows on demand: a question needs a few hundred of 30,000 rows, and reading the whole file
 * takes as long as all other work of a small question.
 *
 * @throws {RangeError} when it is no such file, or ends too soon
 */
export function openEmbedderFile(path: string): OpenEmbedderFile {
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const source = bytesOf(descriptor, size);
    const { notice: _, valuesAt, ...tables } = decodeTables(source);
    const { rows, dimensions, vocabulary } = tables;
    const pieces = readPieceTable(join(dirname(path), pieceTableFileName), vocabulary);
    requirePieces(tables, pieces === undefined ? countLines(vocabulary) : pieces.starts.length - 1);
    // Memory that is not written to is not taken.
    const bytes = Buffer.allocUnsafeSlow(rows * dimensions);
    const values = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    const isRead = new Uint8Array(Math.ceil(rows / groupRows));
    let count = 0;
    const readRows = (from: number, end: number): void =>
      fill(descriptor, bytes.subarray(from * dimensions, end * dimensions), {
        at: valuesAt + from * dimensions,
      });
    const file: OpenEmbedderFile = {
      ...tables,
      values,
      pieces,
      need: (row) => {
        const group = Math.floor(row / groupRows);
        if (isRead[group] === 1) return;
        if (count < mostGroups) {
          readRows(group * groupRows, Math.min(rows, (group + 1) * groupRows));
          isRead[group] = 1;
        } else {
          readRows(0, rows);
          isRead.fill(1);
        }
        count += 1;
      },
    };
    forgotten.register(file, descriptor);
    return file;
  } catch (thrown) {
    closeSync(descriptor);
    throw thrown;
  }
}

function bytesOf(descriptor: number, size: number): EmbedderBytes {
  return {
    size,
    read: (at, length) => {
      const bytes = Buffer.allocUnsafe(length);
      fill(descriptor, bytes, { at });
      return bytes;
    },
  };
}

function fill(descriptor: number, into: Buffer, { at }: { at: number }): void {
  for (let done = 0; done < into.length; ) {
    const count = readSync(descriptor, into, done, into.length - done, at + done);
    if (count === 0) throw new RangeError('it was cut off while it was read');
    done += count;
  }
}

/** Ids of the word pieces of a text, in its order, without the marks at its ends. */
export type Tokenizer = (text: string) => number[];

/** A longer word is unknown as a whole, as in BERT's own tokenizer. */
const maxWordCharacters = 100;

/** Marks that stand for themselves when they are written out in a text. */
const marks = /\[(?:PAD|UNK|CLS|SEP|MASK)\]/g;
/** Control and format characters that are dropped; others count as white space. */
const dropped = /[\0\ufffd]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const ideograph =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
/** A word, or a single sign: printable ASCII that is no letter or digit, or other punctuation. */
const wordOrSign = /[!-/:-@[-`{-~]|\p{P}|[^\s!-/:-@[-`{-~\p{P}]+/gu;
/**
 * The same for ASCII text; compiling the Unicode expression takes longer than reading a question.
 */
const plainWordOrSign = /[!-/:-@[-`{-~]|[^\s!-/:-@[-`{-~]+/g;
const plain = /^[\x20-\x7e\s]*$/;

let last: { vocabulary: string; tokenizer: Tokenizer } | undefined;

/**
 * Cuts texts into word pieces as BERT-uncased does: lower case, no accents, signs apart, then
 * the longest piece that the vocabulary has, again and again.
 *
 * @param vocabulary pieces by id, one a line; one that continues a word begins with `##`
 * @param table of the vocabulary, where it was made before
 */
export function createTokenizer(vocabulary: string, table?: PieceTable): Tokenizer {
  // Both shipped embedders have one vocabulary.
  if (last?.vocabulary !== vocabulary) {
    last = { vocabulary, tokenizer: makeTokenizer(indexWordPieces(vocabulary, table)) };
  }
  return last.tokenizer;
}

function makeTokenizer(pieces: PieceIndex): Tokenizer {
  const unknown = pieces.idOf('[UNK]') ?? 0;
  const known = new Map<string, readonly number[]>();
  const piecesOf = (word: string): readonly number[] => {
    let ids = known.get(word);
    if (ids === undefined) {
      ids = cutWord(word, pieces) ?? [unknown];
      // Texts repeat their words; what a long one would keep is bounded.
      if (known.size >= maxKnownWords) known.clear();
      known.set(word, ids);
    }
    return ids;
  };
  const addPlain = (text: string, ids: number[]) => {
    for (const word of wordsOf(text)) for (const id of piecesOf(word)) ids.push(id);
  };
  return (text) => {
    const ids: number[] = [];
    let from = 0;
    for (const mark of text.matchAll(marks)) {
      addPlain(text.slice(from, mark.index), ids);
      ids.push(pieces.idOf(mark[0]) ?? unknown);
      from = mark.index + mark[0].length;
    }
    addPlain(from === 0 ? text : text.slice(from), ids);
    return ids;
  };
}

const maxKnownWords = 20_000;

function wordsOf(text: string): readonly string[] {
  if (plain.test(text)) return text.toLowerCase().match(plainWordOrSign) ?? [];
  const bare = text
    .replace(dropped, '')
    .replace(ideograph, ' $& ')
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
  return bare.match(wordOrSign) ?? [];
}

/** Nothing when some part of the word is in no piece. */
function cutWord(word: string, pieces: PieceIndex): number[] | undefined {
  if (word.length > maxWordCharacters && [...word].length > maxWordCharacters) return undefined;
  const ids: number[] = [];
  for (let from = 0; from < word.length; ) {
    const found = pieces.longestAt(word, from);
    if (found === undefined) return undefined;
    ids.push(found.id);
    from = found.end;
  }
  return ids;
}
