import { indexWordPieces, type PieceIndex, type PieceTable } from './index-word-pieces.ts';

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
