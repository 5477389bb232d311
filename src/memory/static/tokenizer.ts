/** Ids of the word pieces of a text, in its order, without the marks at its ends. */
export type Tokenizer = (text: string) => number[];

/** A longer word is unknown as a whole, as in BERT's own tokenizer. */
const maxWordCharacters = 100;

/** Marks that stand for themselves when they are written out in a text. */
const marks = /\[(?:PAD|UNK|CLS|SEP|MASK)\]/g;
/** What counts as white space; the rest of the control and format characters are dropped. */
const dropped = /[\0\ufffd]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const ideograph =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
/** A word, or one sign: all that is printed in ASCII and no letter or digit, and other punctuation. */
const wordOrSign = /[!-/:-@[-`{-~]|\p{P}|[^\s!-/:-@[-`{-~\p{P}]+/gu;
const plain = /^[\x20-\x7e\s]*$/;

/**
 * Cuts texts into word pieces as BERT-uncased does: lower case, no accents, signs apart, then
 * the longest piece that the vocabulary has, again and again.
 *
 * @param vocabulary pieces by id; one that continues a word begins with `##`
 */
export function createTokenizer(vocabulary: readonly string[]): Tokenizer {
  const idOf = new Map(vocabulary.map((piece, id) => [piece, id]));
  const unknown = idOf.get('[UNK]') ?? 0;
  const longest = vocabulary.reduce((most, piece) => Math.max(most, piece.length), 1);
  const known = new Map<string, readonly number[]>();
  const piecesOf = (word: string): readonly number[] => {
    let pieces = known.get(word);
    if (pieces === undefined) {
      pieces = cutWord(word, idOf, longest) ?? [unknown];
      // Texts repeat their words; what a long one would keep is bounded.
      if (known.size >= maxKnownWords) known.clear();
      known.set(word, pieces);
    }
    return pieces;
  };
  const addPlain = (text: string, ids: number[]) => {
    for (const word of normalize(text).match(wordOrSign) ?? []) ids.push(...piecesOf(word));
  };
  return (text) => {
    const ids: number[] = [];
    let from = 0;
    for (const mark of text.matchAll(marks)) {
      addPlain(text.slice(from, mark.index), ids);
      ids.push(idOf.get(mark[0]) ?? unknown);
      from = mark.index + mark[0].length;
    }
    addPlain(from === 0 ? text : text.slice(from), ids);
    return ids;
  };
}

const maxKnownWords = 20_000;

function normalize(text: string): string {
  if (plain.test(text)) return text.toLowerCase();
  return text
    .replace(dropped, '')
    .replace(ideograph, ' $& ')
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}

/** Nothing when some part of the word is in no piece. */
function cutWord(
  word: string,
  idOf: ReadonlyMap<string, number>,
  longest: number,
): number[] | undefined {
  if (word.length > maxWordCharacters && [...word].length > maxWordCharacters) return undefined;
  const ids: number[] = [];
  for (let from = 0; from < word.length; ) {
    let end = Math.min(word.length, from + longest);
    let id: number | undefined;
    for (; end > from; end -= 1) {
      const piece = word.slice(from, end);
      id = idOf.get(from === 0 ? piece : `##${piece}`);
      if (id !== undefined) break;
    }
    if (id === undefined) return undefined;
    ids.push(id);
    from = end;
  }
  return ids;
}
