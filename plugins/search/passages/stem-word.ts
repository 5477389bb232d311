/** Forms that no suffix rule reaches: inflected form -> base form. */
const irregular = new Map(
  `began begin, begun begin, bound bind, broke break, broken break, brought bring, built build,
  caught catch, chose choose, chosen choose, choice choose, collision collide, comparison compare, conversion convert,
  decision decide, division divide, drawn draw, expansion expand, extension extend, failure fail, fell fall, fetched fetch, forbade forbid,
  forbidden forbid, forgotten forget, found find, frozen freeze, gave give, grew grow, grown grow,
  heard hear, held hold, hid hide, hidden hide, indices index, kept keep, laid lay, led lead,
  left leave, lost lose, matrices matrix, met meet, overridden override, paid pay, ran run,
  read read, recognition recognise, sent send, shown show, shut shut, slept sleep, spent spend, split split, stole steal,
  stolen steal, stood stand, stuck stick, swept sweep, taught teach, threw throw, thrown throw,
  told tell, took take, understood understand, vertices vertex, went go, woken wake, won win,
  written write, wrote write`
    .split(',')
    .map((pair) => pair.trim().split(' ') as [string, string]),
);

const suffixes = [
  'izations',
  'ization',
  'isations',
  'isation',
  'ations',
  'ation',
  'ements',
  'ement',
  'ments',
  'ment',
  'ings',
  'ing',
  'ions',
  'ion',
  'ables',
  'able',
  'ible',
  'ness',
  'ers',
  'ors',
  'er',
  'or',
  'ies',
  'ied',
  'ed',
  'es',
  'ly',
  'al',
  'ive',
  's',
  'e',
  'y',
]; // prettier-ignore

/** Letters that must stay before a suffix; three letters begin too many other words. */
const leastStem = 4;

/**
 * Beginnings that the forms of a word share: `parsing` gives `pars`, `retries` gives
 * `retri` and `retry`. Meant for counting by prefix, so it cuts more than a stemmer that
 * has to give words.
 *
 * @param word lower case
 * @returns one to three beginnings, none a beginning of another
 */
export function stemWord(word: string): string[] {
  const base = irregular.get(word) ?? word;
  if (!/^[a-z]+$/.test(base)) return [base];
  // `copy`, `copied`, `tries`: too short for the rules below
  const short = /^([a-z]{2,3})(?:y|ies|ied)$/.exec(base)?.[1];
  if (short !== undefined && base.length > 3) return [`${short}y`, `${short}i`];
  const stem = cutSuffix(base);
  const stems = spellings(stem, base);
  return base === word ? stems : distinct([...stems, ...spellings(cutSuffix(word), word)]);
}

function cutSuffix(word: string): string {
  if (word.length <= leastStem)
    return word.length === 4 && isPlural(word) ? word.slice(0, 3) : word;
  if (word.endsWith('ss') || word.endsWith('us')) return word;
  for (const suffix of suffixes) {
    if (!word.endsWith(suffix)) continue;
    const stem = undouble(word.slice(0, -suffix.length), suffix);
    if (stem.length >= leastStem && /[aeiouy]/.test(stem)) return stem;
  }
  if (isPlural(word)) return word.slice(0, -1);
  if (/[^e]ed$/.test(word)) return /(.)\1ed$/.test(word) ? word.slice(0, -3) : word.slice(0, -1);
  return /[aeiouy].*ing$/.test(word) ? undouble(word.slice(0, -3), 'ing') : word;
}

function isPlural(word: string): boolean {
  return /[^sui]s$/.test(word);
}

/** `stopping` -> `stop`, but `passing` -> `pass` and `filling` -> `fill`. */
function undouble(stem: string, suffix: string): string {
  const doubled = /^(ing|ings|ed|er|ers)$/.test(suffix) && /([bdgmnprt])\1$/.test(stem);
  return doubled ? stem.slice(0, -1) : stem;
}

/** `serialis` is `serializ` elsewhere, `colour` is `color`, and `retri` is `retry`. */
function spellings(stem: string, word: string): string[] {
  if (stem.length < leastStem) return [stem];
  if (/ou?r$/.test(stem) && /colou?r|behaviou?r|favou?r|neighbou?r/.test(stem)) {
    return [stem.replace(/ou?r$/, 'or'), stem.replace(/ou?r$/, 'our')];
  }
  if (/(is|iz|ys|yz)$/.test(stem) && /([iy][sz])(e|ed|es|er|ers|ing|ation|ations)$/.test(word)) {
    return [`${stem.slice(0, -1)}s`, `${stem.slice(0, -1)}z`];
  }
  if (/(y|ies|ied)$/.test(word) && word.startsWith(stem)) return [`${stem}y`, `${stem}i`];
  return [stem];
}

function distinct(stems: string[]): string[] {
  return [...new Set(stems)].filter(
    (stem, index, all) =>
      !all.some((other, at) => at !== index && stem.startsWith(other) && stem !== other),
  );
}
