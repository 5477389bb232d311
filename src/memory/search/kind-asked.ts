import type { MemoryHit } from '../../contracts/memory.ts';
import { plainWords } from '../../lib/text/plain-words.ts';
import { stopWords } from '../../lib/text/stop-words.ts';
import { isKept } from '../kinds.ts';
import { tells } from './asked-for.ts';
import { isCommonWord } from './common-words.ts';
import { heldShareOf, wordsOf } from './rated-turns.ts';

/** The cosine of a word and others, by the embedder that comes along; undefined without one. */
export type Alike = (word: string, others: string) => number | undefined;

/**
 * How near a name of a sort comes to the sort: "cello" to "instrument" .51, "red" to "colour" .46,
 * "vim" to "editor" .24; what is none stays below .12 ("broken", "on Mondays", "at six").
 */
const leastAlike = 0.15;
/**
 * Whether a fact names what a question wants named. Of "which instrument does Kim play?" the fact
 * "Kim plays the cello" holds every word but the sort, and a cello is one. A name fits any sort that
 * is given as a name, and a number what is counted.
 */
export function namesKind(hit: MemoryHit, question: string, alike: Alike): boolean {
  const kind = isKept(hit) ? kindAsked(question) : undefined;
  if (kind === undefined) return false;
  const ofKind = new Set(wordsOf(kind));
  const others = wordsOf(question).filter((word) => !ofKind.has(word));
  const telling = others.filter((word) => !isCommonWord(word));
  if (telling.length === 0 || heldShareOf(hit, telling) < 1) return false;
  const asked = new Set(plainWords(question));
  const isNew = (word: string) =>
    plainWords(word).some((part) => !asked.has(part) && !stopWords.has(part)) &&
    wordsOf(word).some((part) => !others.includes(part));
  // the first one has a capital anyway
  const [, ...words] = hit.text.match(/[\p{L}\p{N}]\S*/gu) ?? [];
  const values = words.map((word) => word.replace(/[^\p{L}\p{N}]+$/u, '')).filter(isNew);
  if (values.length === 0) return false;
  if (counted.has(kind)) return values.some((value) => /\d/.test(value));
  if (values.some((value) => /^\p{Lu}/u.test(value) && !tells('time', value))) return true;
  return [values.join(' '), ...values].some((value) => (alike(kind, value) ?? 0) >= leastAlike);
}

const counted = new Set('version number port size level amount code'.split(' '));

/**
 * Whether a fact counts what a question wants counted: "how many requests can I send per minute?" by
 * "the limit is 100 requests per minute". A half of what else is asked has to be held.
 */
export function countsAsked(hit: MemoryHit, question: string): boolean {
  const noun = isKept(hit) ? countAsked.exec(question)?.[1] : undefined;
  const [stem] = noun === undefined ? [] : wordsOf(noun);
  if (stem === undefined) return false;
  const said = plainWords(hit.text);
  const isCounted = said.some(
    (word, at) =>
      wordsOf(word)[0] === stem && tells('number', said.slice(Math.max(0, at - 2), at).join(' ')),
  );
  const others = wordsOf(question).filter((word) => word !== stem && !isCommonWord(word));
  return isCounted && (others.length === 0 || heldShareOf(hit, others) >= 0.5);
}

const countAsked =
  /(?<![\p{L}])(?:how (?:many|much)|wie ?viele?|cu[aá]nt[oa]s?|combien d(?:e |['’])|quant[oa]s?)\s*([\p{L}-]+)/iu;

/**
 * Whether a fact has a number where a price is asked for: "how much is the rent?" No price is "at 6",
 * "in room 4" or "6 am".
 */
export function pricesAsked(hit: MemoryHit, question: string): boolean {
  if (!isKept(hit) || !priceAsked.test(question)) return false;
  const said = plainWords(hit.text);
  const isPrice = (word: string, at: number): boolean =>
    /^\d[\d.,]*k?$/.test(word) &&
    !/^(?:at|in|on|by|room|port|um|a|as|les?)$/.test(said[at - 1] ?? '') &&
    !/^(?:am|pm|uhr|horas?|heures?)$/.test(said[at + 1] ?? '');
  if (!said.some(isPrice)) return false;
  const others = wordsOf(question.replaceAll(priceWords, ' ')).filter(
    (word) => !isCommonWord(word),
  );
  return others.length > 0 && heldShareOf(hit, others) === 1;
}

const priceAsked =
  /(?<![\p{L}])(?:how much (?:is|are|was|were|does|do|did)|what (?:does|do|did)\s.*\scost|was kostet|wie teuer (?:ist|war|sind)|cu[aá]nto (?:cuesta|es|vale)|combien co[uû]te|quanto (?:custa|[eé]))(?![\p{L}])/iu;
const priceWords =
  /(?<![\p{L}])(?:how much|what|cost|was|kostet|wie|teuer|ist|war|sind|der|die|das|cu[aá]nto|cuesta|es|vale|el|las?|los|combien|co[uû]te|les?|quanto|custa|[eéo])(?![\p{L}])/giu;

/** "instrument" in "which instrument does Kim play?"; undefined where no sort is named. */
function kindAsked(question: string): string | undefined {
  const [, before, behind] = sortAsked.exec(question) ?? [];
  const kind = (before ?? behind)?.toLowerCase();
  return kind === undefined || noSorts.has(kind) ? undefined : kind;
}

const sortAsked =
  /\b(?:what|which)\s+(?:(?:[\p{L}-]+\s+){0,2}?([\p{L}-]+)\s+(?:is|are|was|were|do|does|did|has|have|had|can|should|will|must)\b|(?:is|are|was|were)\s+(?:the|our|my)\s+([\p{L}-]+)\s+of\b)/iu;

const noSorts = new Set('one kind sort type thing things else exactly people way'.split(' '));
