/**
 * The words of a text that carry meaning, as full-text search sees them: lower case, Latin
 * letters without accents, split at everything that is no letter or digit, without stop words, lightly stemmed.
 * In text order, repeats kept.
 */
export function contentWords(text: string): string[] {
  const words: string[] = [];
  for (const word of splitWords(text)) {
    if (word.length <= maxWordLength && !stopWords.has(word)) words.push(stem(word));
  }
  return words;
}

function splitWords(text: string): readonly string[] {
  // the usual case, five times as fast
  if (isAscii(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const folded = spaceWords(text)
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFKC')
    .toLowerCase();
  return folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text);
}

/**
 * Puts spaces between the words of scripts that are written without them; other text stays as it
 * is. The index splits at spaces and punctuation alone, so without this a Chinese or Thai sentence
 * would be one word that no question matches.
 */
export function spaceWords(text: string): string {
  if (isAscii(text)) return text;
  return text.replace(unspacedRun, (run: string, offset: number) => {
    const segments = segmenter().segment(run);
    const words = Array.from(segments, ({ segment }) => segment).join(' ');
    // no second space where one is, so that doing it again changes nothing
    const before = text[offset - 1] === ' ' ? '' : ' ';
    const after = text[offset + run.length] === ' ' ? '' : ' ';
    return before + words + after;
  });
}

/** the longest token that the index keeps */
const maxWordLength = 40;

const unspacedRun =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]{2,}/gu;

let shared: Intl.Segmenter | undefined;
function segmenter(): Intl.Segmenter {
  // made when first needed: it loads its dictionaries
  shared ??= new Intl.Segmenter('und', { granularity: 'word' });
  return shared;
}

/** Endings of English inflection; both sides of a comparison go through it, so crude is enough. */
function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  let base = word;
  if (base.endsWith('ies')) base = `${base.slice(0, -3)}y`;
  else if (base.endsWith('sses')) base = base.slice(0, -2);
  else if (/[^su]s$/.test(base)) base = base.slice(0, -1);
  const ending = /(ing|ed)$/.exec(base)?.[0];
  if (ending !== undefined) {
    const rest = base.slice(0, -ending.length);
    if (rest.length >= 3 && /[aeiouy]/.test(rest)) base = rest.replace(/([^aeioulsz])\1$/, '$1');
  }
  if (base.length > 3 && base.endsWith('e')) base = base.slice(0, -1);
  return base.replace(/([^aeiou])y$/, '$1i');
}

// articles, pronouns, prepositions, auxiliaries and what apostrophes leave behind
const stopWords = new Set(
  `a about above after again against all am an and any are as at be because been before being below
  between both but by can could did do does doing don down during each few for from further had has
  have having he her here hers him his how i if in into is it its itself just ll me more most my no
  nor not now o of off on once only or other our ours out over own re s same she should so some such
  t than that the their theirs them then there these they this those through to too under until up
  ve very was we were what when where which while who whom why will with would you your yours`.split(
    /\s+/,
  ),
);
