import type { LastAnswer } from '../contracts/questions.ts';
import { atOtherTime } from '../lib/text/read-time.ts';
import { identifiersIn } from '../lib/text/words.ts';
import type { KindName } from './kinds.ts';
import { readKinds } from './read-rows.ts';

const leading =
  /^[\s¿]*(?:(?:and|und|et|y|but|so|also|then|ok(?:ay)?|now|what about|how about)\b[\s,]*)+/i;
const ordinals: Readonly<Record<string, number>> = {
  first: 0,
  second: 1,
  third: 2,
  fourth: 3,
  fifth: 4,
  sixth: 5,
  last: -1,
};
/** The first and the last commit are those of the repository. */
const ordinal = new RegExp(
  `\\b(?:the\\s+)?(?:(${Object.keys(ordinals).join('|')})\\s+(?:one|result|place|file|passage|hit|match|entry|(?<!(?:first|last)\\s+)commit)|(?:number|no\\.?|#)\\s*(\\d{1,2}))(?=\\W|$)`,
  'i',
);
const thing = '(?:function|class|method|type|struct|interface|constant|name|symbol|one)';
const pronoun = new RegExp(
  `\\b(?:it|(?:this|that|the same)(?:\\s+(${thing}|file|module|folder))?(?=\\s*[?.!]*$|\\s+(?:is|was|does|did|has|used|called|defined|changed|tested|last|first|in|and|so)\\b)|(?:this|that|the same)\\s+(${thing}|file|module))(?!\\w)`,
  'i',
);
/** What a few words ask of the thing that was spoken of. */
const short: readonly (readonly [RegExp, (it: string, last: LastAnswer) => string])[] = [
  [
    /^(?:(?:the|its|any)\s+)?(?:unit\s+)?tests?$/i,
    // Of passages the file is spoken of, and nothing that it happens to define.
    (it, { kind, path }) =>
      `which tests cover ${/^(?:how|where|guide)$/.test(kind) ? (path ?? it) : it}?`,
  ],
  [
    /^(?:(?:the|its|any)\s+)?(?:callers?|usages?|uses|users|references)$/i,
    (it) => `who calls ${it}?`,
  ],
  [
    /^(?:(?:the|its)\s+)?(?:definition|source|code|implementation)$/i,
    (it) => `where is ${it} defined?`,
  ],
  [/^(?:(?:the|its)\s+)?(?:history|commits|changes|log)$/i, (it) => `history of ${it}`],
  [/^(?:(?:the|its)\s+)?(?:docs?|documentation|manual)$/i, (it) => `how do I use ${it}?`],
  [/^what (?:does|do|is) (?:it|this|that)(?: do| for| about)?$/i, (it) => `what does ${it} do?`],
  [/^why$/i, (it) => `why was ${it} changed?`],
  [
    /^(?:who|by whom)(?: (?:did|wrote|made|added|created|changed) (?:it|that|this))?$/i,
    (it) => `who changed ${it} last?`,
  ],
  [/^when$/i, (it) => `when was ${it} changed?`],
];
/** The last question once more, of another thing. */
const again: Readonly<Partial<Record<KindName, (name: string) => string>>> = {
  references: (name) => `who calls ${name}?`,
  tests: (name) => `which tests cover ${name}?`,
  history: (name) => `history of ${name}`,
};

/**
 * A question that goes on with the last one, in words that stand alone.
 *
 * @returns undefined for one that does so already
 */
export function followUp(question: string, last: LastAnswer): string | undefined {
  const text = question.trim();
  const rest = text.replace(leading, '').replace(/[\s?.!]+$/, '');
  const it = last.name ?? last.path;
  const ofTime = atOtherTime(last.question ?? '', rest);
  if (ofTime !== undefined && last.question !== undefined) return ofTime;
  const asked = short.find(([words]) => words.test(rest))?.[1];
  if (asked !== undefined && it !== undefined) return asked(it, last);
  const place = placeAt(rest, last.places);
  if (place !== undefined) return place;
  const found = pronoun.exec(rest);
  if (found !== null) {
    const noun = found[1] ?? found[2] ?? '';
    const meant = /file|module/.test(noun) ? last.path : it;
    const isMeant = noun !== '' || isAbout(rest, found[0]) || saysNothing(rest);
    if (meant !== undefined && isMeant) return rest.replace(found[0], meant);
  }
  const named =
    /^[`"']?((?:[\p{L}_$][\p{L}\p{N}_$]*(?:\.|::|#))*[\p{L}_$][\p{L}\p{N}_$]*)[`"']?(?:\(\))?$/u.exec(
      rest,
    )?.[1];
  if (named !== undefined && leading.test(text))
    return again[last.kind as KindName]?.(named) ?? `where is ${named} defined?`;
  return undefined;
}

/** A question about `it`, or of a time alone, that says nothing else of what it is about. */
export function refersBack(question: string): string | undefined {
  const rest = question.trim().replace(leading, '');
  const time = rest.replace(/[\s?.!]+$/, '');
  if (leading.test(question) && atOtherTime('', time) !== undefined) return time;
  const found = pronoun.exec(rest)?.[0] ?? ordinal.exec(rest)?.[0];
  // The workspace is this folder.
  if (found === undefined || /\bfolder$/i.test(found) || clause.test(rest)) return undefined;
  return isAbout(rest, found) ? found : undefined;
}

/** `what did I change that is not committed?`, `where is X and who calls it?`: that stands before. */
const clause =
  /^(?:(?!\b(?:it|this|that)\b).)+\s(?:and|or) (?:who|what|where|how|when|why)\b|\b(?!(?:why|where|how|when|who|what|if|and|whether|is|was|do|does|did|so)\b)\w+ that (?:is|are|was|were|has|have|does|did)\b/i;

/** The words around a pronoun make a kind of question once a name stands there, and none before. */
function isAbout(question: string, word: string): boolean {
  const count = (text: string): number => Object.values(readKinds(text)).flat().length;
  return count(question.replace(word, 'the_thing')) > 0 && count(question) === 0;
}

/** It names nothing itself, and is of no kind. */
function saysNothing(question: string): boolean {
  const { sure, guessed } = readKinds(question);
  return sure.length + guessed.length === 0 && identifiersIn(question).length === 0;
}

function placeAt(question: string, places: LastAnswer['places']): string | undefined {
  const found = ordinal.exec(question);
  if (found === null) return undefined;
  const at =
    found[2] === undefined ? ordinals[found[1]?.toLowerCase() ?? ''] : Number(found[2]) - 1;
  const place = places.at(at ?? 0);
  if (place === undefined) return undefined;
  const { path, line, commit } = place;
  const name = commit === undefined ? path : `commit ${commit.slice(0, 10)}`;
  const around = question.replace(found[0], '').trim();
  return /^(?:(?:please|show|open|read|print|see|view|display|me|explain|what is)\s*)*$/i.test(
    around,
  )
    ? `show ${name}${line === undefined ? '' : `:${line}`}`
    : question.replace(found[0], name);
}
