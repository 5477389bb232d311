import { once } from '../../lib/memo.ts';
import { numeralOf, periodIn } from '../../lib/text/read-time.ts';
import { identifiersIn, pathsIn, stemWord, stopWords } from '../../lib/text/words.ts';
import { engines } from './file-kinds.ts';
import foreignWords from './foreign-words.json' with { type: 'json' };

const longestQuestion = 200;
/** More words than these that no table has are what a question is about, and not its kind. */
const mostUnknown = 1;
/** Words of English that the tables have, too. */
const alsoEnglish =
  /^(?:die|hat|was|man|an|in|so|me|no|a|o|e|on|as|do|de|la|le|un|son|am|war|er|in|code|repo|monorepo|repository|workspace|variable|option|features|server|port|commit|commits|branch|plugins|module|modules|type|types|standard|tag|sin|era|ser|sobre|par|mon|ma|mes|plus|grand|long|gros|but|serve|interfaces|endpoints|nos|das|pode|valor|structure|commit|version|tests|todos|compare|classes|exceptions|options|variables|routes|scripts|license|licence|definition|prueba|all|is|ab|mit|est|sur|des|fait)$/;

/** Programs and languages are called the same in all of these. */
const everywhere = new Set([...engines.split(' '), 'ci', 'cli', 'api', 'readme', 'typescript']);

type Table = ReadonlyMap<string, string>;
const tables: readonly Table[] = [];
const phrases: Table[] = [];
for (const [language, text] of Object.entries(foreignWords)) {
  const rows = text.split(' ').map((row) => row.split('=') as [string, string]);
  // Where no spaces part words, the longer ones are looked for first.
  const isPhrases = language === 'zh' || language === 'ja';
  const sorted = isPhrases ? rows.toSorted(([one], [other]) => other.length - one.length) : rows;
  (isPhrases ? phrases : (tables as Table[])).push(new Map(sorted));
}

/** Words that people of all languages ask with. */
const asked = once(() => new Set([...tables, ...phrases].flatMap((table) => [...table.values()])));
const stems = once(() => new Set([...asked()].map(stemWord)));

/** A word that questions have, in just this form. */
export function isAsked(word: string): boolean {
  return asked().has(word);
}

/** A word of English that is known, though it may stand nowhere in a workspace. */
export function isEnglish(word: string): boolean {
  return stems().has(stemWord(word));
}

/** What a word means in any language of the tables; empty for one that English has no word for. */
export function meaningsOf(word: string): string[] {
  const written = word.toLowerCase();
  return tables.flatMap((table) => meaningOf(written, table) ?? []);
}

export type English = {
  text: string;
  /** words of another language that were left as they stand; with any, its kind cannot be told */
  unread: readonly string[];
};

/**
 * A question in German, Spanish, French, Portuguese, Chinese or Japanese word by word in English,
 * names as they stand: enough to see of which kind it is. All other texts stay as they are.
 */
export function toEnglish(question: string): English {
  const asIs: English = { text: question, unread: [] };
  if (question.length > longestQuestion) return asIs;
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(question))
    return fromPhrases(question) ?? asIs;
  const names = [...pathsIn(question), ...identifiersIn(question)];
  // `Python-Version`, `montre-moi`, `d'environnement`: words that are joined.
  const parted = question
    .replace(/(?<=\p{L}\s+)est-ce qu(?:e\s+|['’])/giu, '')
    .replace(/(?<=\p{Lu}\p{L}+)-(?=\p{Lu}\p{Ll})/gu, ' ')
    .replace(/(?<=\p{L}{3})-(?=(?:moi|nous|vous|je|on|il|elle|t-on|t-il|t-elle|me|nos)\b)/giu, ' ')
    .replace(/(?<![\p{L}\p{N}])([dlnsj])['’](?=\p{L})/giu, '$1 ');
  const words = parted.match(/[\p{L}\p{N}_$./:#@`()'’-]+/gu) ?? [];
  const plain = words.map((word) => word.toLowerCase().replace(/[.:]+$/, ''));
  const isName = (at: number): boolean =>
    names.some((name) => words[at]?.includes(name)) || /[_$.:#`()\d]/.test(words[at] ?? '');
  const read = tables.map((table) => {
    const known = plain.filter((word, at) => !isName(at) && table.has(word));
    const strong = known.filter((word) => !alsoEnglish.test(word) && !stopWords.has(word));
    return { table, known: known.length, strong: strong.length };
  });
  const [best] = read.toSorted(
    (one, other) => other.known - one.known || other.strong - one.strong,
  );
  if (best === undefined || best.strong === 0) return asIs;
  // `zeige src/a.ts`: beside names there is a word that only this language has.
  const isVerbOfName = words.every((_, at) => isName(at) || best.table.has(plain[at] ?? ''));
  const isPlaced = isVerbOfName && names.length > 0;
  if (best.strong + best.known < (isPlaced ? 2 : 3)) return asIs;
  const isUnread = (word: string | undefined, at: number): word is string =>
    word !== undefined &&
    !isName(at) &&
    meaningOf(plain[at] ?? '', best.table) === undefined &&
    !everywhere.has(plain[at] ?? '');
  const unread = words.filter(isUnread);
  // `Lars Henriksen` is one name.
  const isBehindName = (at: number): boolean =>
    isUnread(words[at - 1], at - 1) &&
    [at - 1, at].every((each) => /^\p{Lu}/u.test(words[each] ?? ''));
  const things = words.filter((word, at) => isUnread(word, at) && !isBehindName(at));
  const english = words
    .map((word, at) => (isName(at) ? word : (meaningOf(plain[at] ?? '', best.table) ?? word)))
    .filter(Boolean);
  // Two things are compared, and both may be written as any word.
  const most = english.includes('difference') || english.includes('compare') ? 2 : mostUnknown;
  const text = asSentence(english.join(' '));
  if (things.length <= most) return { text, unread: [] };
  if (best.strong <= 1 || unread.length * 2 > words.length) return asIs;
  return { text, unread: unread.filter((word) => !isEnglish(word.toLowerCase())) };
}

/** Plurals, persons and participles, by what a table has of the same word: `cifran`, `cifrados` for `cifra`, `lösche` for `löschen`. */
const endings: readonly (readonly [RegExp, string])[] = [
  ...[[/[nms]$/, ''] as const, [/es$/, ''] as const, [/ent$/, 'e'] as const],
  ...[[/ad[oa]s?$/, 'a'] as const, [/ées?$/, 'é'] as const, [/e$/, 'en'] as const],
];
const shortestStem = 4;

function meaningOf(word: string, table: Table): string | undefined {
  const own = table.get(word) ?? numeralOf(word);
  if (own !== undefined) return own;
  const stems = endings.flatMap(([ending, by]) =>
    ending.test(word) ? [word.replace(ending, by)] : [],
  );
  const known = stems.find((stem) => stem.length >= shortestStem && table.has(stem));
  return known === undefined ? compoundOf(word, table) : table.get(known);
}

/** `Konfigurationsdatei`: two words of the table in one. */
function compoundOf(word: string, table: Table): string | undefined {
  for (let at = shortestStem; at <= word.length - shortestStem; at += 1) {
    const last = table.get(word.slice(at));
    const first =
      table.get(word.slice(0, at)) ?? table.get(word.slice(0, at).replace(/(?:s|en)$/, ''));
    if (last !== undefined && first !== undefined) return `${first} ${last}`.trim();
  }
  return undefined;
}

function fromPhrases(question: string): English | undefined {
  const [best] = phrases
    .map((table) => {
      let text = question.replace(/[？。！、，?!¿¡「」『』“”]/g, ' ');
      for (const [phrase, english] of table) text = text.replaceAll(phrase, ` ${english} `);
      const left = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu) ?? [];
      return { text, left };
    })
    .toSorted((one, other) => one.left.join('').length - other.left.join('').length);
  if (best === undefined) return undefined;
  const words = best.text.replace(/\s+/g, ' ').trim();
  const isTask = /^how\b|\bhow$/.test(words) && !isPassive.test(question);
  const english = isTask
    ? words.replace(asPlainTask, 'how $1').replace(asLastTask, 'how $3 $1$2')
    : words;
  return { text: asSentence(english), unread: best.left };
}

const task =
  'add|write|create|make|rename|move|commit|define|declare|configure|set|install|use|enable|disable|register|extend|pass|import|call|get|publish|contribute|deploy|test|run|build|start|debug|change|remove|delete|update|upgrade|migrate|convert';
/** `comment ajouter un plugin`, `wie füge ich ein Plugin hinzu`, `¿cómo puedo añadir`: how one does it. */
const asTask = new RegExp(
  `^how (?:(?:can|should|must|do) )?(?:I |we |one |you )?(?:for )?(${task})(?: I| we| one| you)?\\b`,
);
/** Verbs of Chinese have one form, and those of Japanese stand last. */
const asPlainTask = new RegExp(`^how (${task})(?:s|d|ed)\\b`);
const asLastTask = new RegExp(`^(?:how (.+)|(.+)) (${task})(?:s|d|ed)?(?: how)?$`);
const isPassive = /され/;
/** `combien de commits Ana Lee a-t-elle faits en 2020`, `cuántos commits hizo Ana`: who made them. */
const commitsOf =
  /^((?:how many|which|what) commits) (?:(?:has|have|is|are|was|were|did|does|made|done|there|of) )*(\p{Lu}\p{L}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’.-]*)*)( .+?)??(?: (?:is|has|have|does|did|made|done))*$/u;
/** `was hat sich getan`, `que s'est-il passé`, `qué hay de nuevo`, with a time as the usual one. */
const changedIn =
  /^what (?:(?:is|are|was|were|has|have|been|of|there|who|the|that|one) )*(?:(?:recently|last week) (?:changed|happens|happened|new|done|made)|(?:changed|happens|happened|new|done|made) (?:recently|last week))$/;

/** Other languages have one word for who wrote it and what is written, and say who does it by the verb. */
function asSentence(text: string): string {
  const english = text
    .replace(/\b(is|are|was|were)\b(.*)\bwrote\b/, '$1$2written')
    // `mueve a.md a docs/`, `benenne a in b um`, `lass die Tests laufen`: orders.
    .replace(/^(rename|move|delete|remove)[sd] (?=\S)/, '$1 ')
    .replace(/^((?:rename|move) .+) (?:how|in) /, '$1 to ')
    .replace(/^(run .+) run$/, '$1')
    .replace(/^(who|when) (?:has|have) (.+) (wrote|made|\w+ed)$/, '$1 $3 $2');
  // `combien de`, `¿cuántos?`, `les fichiers d'exemple`
  const counted = english
    .replace(/^many (?:of )?/, 'how many ')
    .replace(/\bfiles of (\p{L}+)$/u, '$1 files')
    .replace(commitsOf, (all, many, name, rest = '') =>
      periodIn(`in ${name}`) === undefined ? `${many} by ${name}${rest}` : all,
    )
    .replace(changedIn, 'what changed recently');
  return `${counted.replace(asTask, 'how do I $1')}?`;
}
