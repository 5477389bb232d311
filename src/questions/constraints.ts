import type { AskIntent, Reading } from '../contracts/intent.ts';
import { escapePattern } from '../lib/text/escape.ts';
import { periodIn, timeIn, unreadTimesIn } from '../lib/text/read-time.ts';
import { contentWords } from '../lib/text/words.ts';
import type { ConstraintKind } from './kind.ts';
import type { DefinitionReading } from './kinds/definition.ts';
import type { FileReading } from './kinds/file.ts';
import type { HistoryReading } from './kinds/history.ts';
import { kindOf } from './kinds.ts';
import { isKindWord } from './read-rows.ts';
import { choice, unmetIn } from './unmet-forms.ts';
import { authorIn } from './words/commit-names.ts';
import { isFileExtension, isKind, withPlainKinds } from './words/file-kinds.ts';

type Constraint = {
  of: ConstraintKind;
  /** as it is written */
  said: string;
  /** what stands in a reading that applies it; absent where none does */
  value?: string;
};

/**
 * What a question asks for and its first reading does not apply. Kinds that search by the words of
 * a question leave out what no text says: a line's number, and a time that is counted from now.
 *
 * @param excluded was cut from the words before they were read
 */
export function leftOutOf(intent: AskIntent, excluded?: string): string[] {
  if (intent.question.length > longestBound) return [];
  const [reading] = intent.readings;
  const applied = kindOf(reading).applies?.(reading) ?? [];
  // What a name is guessed to define is looked up in words where nothing does.
  const { name = '', isWord = false } = reading as Partial<DefinitionReading>;
  const isGuess = reading.kind === 'definition' && (isWord || !intent.question.includes(name));
  const unmet = unmetIn(intent, applied === 'all' || isGuess);
  const cut = excluded === undefined ? [] : [excluded.replace(/^[,\s]+/, '')];
  const { folder = '', paths } = intent.mentions;
  if (applied === 'all') {
    // Only that one file is searched.
    const others = paths.includes(folder) ? paths.filter((path) => path !== folder) : [];
    const unsaid = constraintsOf(intent).filter(
      ({ of, said }) =>
        (of === 'lines' && /^line \d/.test(said) && !intent.mentions.text.includes('\n')) ||
        (of === 'time' && (fromNow.test(said) || boundOf.test(said))) ||
        (of === 'bound' && isBounded(intent.mentions.own ?? intent.mentions.text)),
    );
    return once([...others, ...unsaid.map(({ said }) => said), ...unmet, ...cut]);
  }
  const isApplied = ({ of, value }: Constraint): boolean =>
    value !== undefined &&
    (of === 'place'
      ? value === folder || holds(reading, value) || (applied.includes(of) && value === paths[0])
      : applied.includes(of) || holds(reading, value));
  const all = constraintsOf(intent);
  const left = all.filter((each) => !isApplied(each)).map(({ said }) => said);
  // A form takes whatever stands behind `commits`; rows know each of their words.
  const unread = readsBehind(reading) ? unreadIn(intent, all) : [];
  const chosen = ofLists.has(reading.kind) ? choice.exec(intent.mentions.text)?.[0] : undefined;
  const unchosen = chosen === undefined || holds(reading, chosen) ? [] : [chosen];
  return once([...left, ...unread, ...unmet, ...unchosen, ...cut]);
}

/** The same of what was searched by its words, because its readings found nothing. */
export function leftOutOfSearch(intent: AskIntent): string[] {
  if (intent.question.length > longestBound) return [];
  const { question, mentions, readings } = intent;
  const excluded = wantsList(question) ? exclusionIn(question) : undefined;
  const said = mentions.own ?? mentions.text;
  // Of commits the time was asked for; it is no word of the files.
  const times = readings[0].kind === 'history' ? [periodIn(said), ...unreadTimesIn(said)] : [];
  const left = leftOutOf({ ...intent, readings: [{ kind: 'how' }] }, excluded);
  const [, asked] = (readings[0].kind === 'history' && /^\s*(who|when)\b/i.exec(said)) || [];
  const ofGit = asked === undefined ? [] : [`${asked.toLowerCase()} (git was not asked)`];
  return once([...times.filter((time) => time !== undefined), ...left, ...ofGit]);
}

/** Each once, and none that another one holds. */
function once(left: readonly string[]): string[] {
  const all = [...new Set(left)];
  return all.filter((each) => all.every((other) => other === each || !other.includes(each)));
}

/** Longer texts, of errors and issues, tell what happened and bound no answer. */
export const longestBound = 1000;

/** `since the release`: a time that no date says. */
const boundOf = /\b(?:since|until|before|after|during)\s+(?!\d{1,3}\b)\S.*?(?=[?.!]*$)/i;
/** The text of files does not say it. */
const fromNow = /\b(?:last|past|previous|this|next|ago|yesterday|today|tomorrow)\b/i;
/** `longer than 50 lines`, `over 20 KB`, `> 10`, `mehr als drei Zeilen` */
const comparison =
  /\b(?:(?:more|fewer|less|longer|shorter|larger|bigger|smaller|older|newer|greater|higher|lower) than|at (?:least|most)|mehr als|weniger als|\p{L}+er als|más de|menos de|plus de|moins de|mais de|(?:over|under|above|below)(?=\s+\d))\s+\S+(?:\s+\p{L}+)?|[<>]=?\s*\d\S*(?:\s+\p{L}+)?/iu;
/** `as a table`: another form of what is there. */
const asForm =
  /(?<!\bsuch )\bas (?:an? )?(?:json|yaml|toml|csv|xml|html|markdown|table|list|chart)\b/i;
const things =
  '(?:files|folders|functions|methods|classes|tests|commits|todos|fixmes|notes|errors|warnings|lines|items|tasks|users)';
/** It asks for a list, or for the number of one. */
const asksForList = new RegExp(
  `^[\\s¿]*(?:list|show|what (?:has )?changed|find all|how many|which \\p{L}+s|(?:what |which |all )?(?:\\p{L}+ )?${things}|welche|wie viele|qué|cuánt[oa]s|quels|quelles|combien|quais)(?![\\p{L}])|^\\s*who (?:calls|uses|imports)\\b|^\\s*where (?:is|are) .*\\b(?:used|called|imported|referenced)\\b`,
  'iu',
);
/** It asks for an explanation, in which a bound is what is spoken of. */
const explains =
  /^\s*(?:how|why|where|when|who|what|which|does|do|did|is|are|was|were|can|could|should|will|must|the|an?|my|explain|describe|error|wie|warum|wo|wann|wer|cómo|por qué|comment|pourquoi)\b/i;
/** `slow queries over 1500 ms`: so few words say what is wanted. */
const mostOfPhrase = 6;
/** `the last error`, of many in a file. */
const oneOfMany =
  /\b(?:first|last|latest|newest|oldest|earliest) (?!lines?\b|\d)\p{L}+(?= (?:in|of|from)\b)/iu;
const ofLists = new Set(['outline', 'members', 'size', 'listing', 'tests']);

/** Commits show what was done alone. */
const negation = /\b(?:nobody|no one|never)\b|\b(?:has|have|was|were|did)(?:n['’]t| not)\b/i;
/** `outside of tests`, `not by Ana`, up to the end or the verb */
const exclusion =
  /,?\s*\b(?:outside(?: of)?|except(?: for)?|excluding|without|apart from|other than|but not|(?:but )?not(?= (?:(?:made|written|done) )?(?:by|from|in|of|for|under)\b)|ohne|außer|nicht(?= (?:von|aus|in|im)\b)|sin|excepto|no(?= (?:son |es )?(?:de|por|en)\b)|sauf|sans|(?<=\b(?:sont|est) )pas(?= de\b)|pas(?= (?:\p{L}+ ){0,2}(?:par|dans)\b))\s+\S[^?.!]{0,80}?(?=\s*[?.!]*\s*$|(?<!\b(?:that|which|who))\s+(?:are|were|sind|sont|son)\s)/iu;

/** What a list is to leave out, as it is written; an explanation may speak of it. */
export function exclusionIn(text: string): string | undefined {
  return text.includes('\n') ? undefined : exclusion.exec(text)?.[0];
}

/** Whether its answer is a list, or the number of one. */
export function wantsList(text: string): boolean {
  return asksForList.test(text);
}

/** Whether what it says of bounds is wanted, and not spoken of. */
function isBounded(text: string): boolean {
  if (wantsList(text)) return true;
  return !explains.test(text) && text.trim().split(/\s+/).length <= mostOfPhrase;
}

function readsBehind(reading: Reading): boolean {
  // `why does it fail at a.ts:12?` asks for the place alone.
  if (reading.kind === 'file') return (reading as FileReading).lines.around === undefined;
  return (reading as HistoryReading).about === 'log';
}

/** Words that no kind is told by, no constraint says and no reading holds. */
function unreadIn({ mentions, readings: [reading] }: AskIntent, said: Constraint[]): string[] {
  const { text, own, folder = '' } = mentions;
  // Words of another language are said otherwise.
  if (own !== undefined) return [];
  const rest = said.reduce((left, each) => left.replace(each.said, ' '), text);
  // `the warnings in a.log` are more than the file.
  const of = reading.kind === 'file' ? kindOf(reading) : undefined;
  return contentWords(rest).filter(
    (word) =>
      !saysLittle.test(word) &&
      !isKindWord(word, of) &&
      !holds(reading, word) &&
      !holds(folder, word),
  );
}

function constraintsOf(intent: AskIntent): Constraint[] {
  const {
    mentions,
    readings: [reading],
  } = intent;
  const { text, own = text, paths } = mentions;
  const constraints: Constraint[] = paths
    .filter((path) => /\/|[^.]\.\w+$/.test(path) && !/^\d+\/\d+\/\d+$/.test(path))
    .map((path) => ({ of: 'place', said: path, value: path }));
  const add = (of: ConstraintKind, said: string | undefined, value = said): void => {
    if (said !== undefined && value !== undefined) constraints.push({ of, said, value });
  };
  for (const path of paths) {
    const [, line] = /^:(\d+)/.exec(text.slice(text.indexOf(path) + path.length)) ?? [];
    const extension = /\.(\w+)$/.exec(path)?.[1] ?? '';
    if (line !== undefined && isFileExtension(extension)) add('lines', `line ${line}`);
  }
  const isTimed = kindOf(reading).applies?.(reading).includes('time') === true;
  const period = periodIn(own);
  add('time', isTimed ? period : timeIn(own));
  const unread = unreadTimesIn(own);
  for (const said of unread) constraints.push({ of: 'time', said });
  const since = isTimed || unread.length > 0 ? undefined : boundOf.exec(text)?.[0];
  const isBound = readsBehind(reading) || (period !== undefined && since?.includes(period));
  if (since !== undefined && isBound) constraints.push({ of: 'time', said: since });
  const person = authorIn(paths.reduce((rest, path) => rest.replaceAll(path, ' '), text));
  if (/^\p{Lu}/u.test(person ?? '')) add('person', person);
  add('lines', linesOf.exec(text)?.[0]);
  // Of a list it was cut.
  const left = wantsList(text) ? undefined : exclusionIn(text);
  if (left !== undefined) constraints.push({ of: 'bound', said: left.trim() });
  const isOfFile = constraints.some(({ of }) => of === 'place');
  for (const bounds of [comparison, asForm, ...(isOfFile ? [oneOfMany] : [])]) {
    const [bound] = bounds.exec(own) ?? [];
    if (bound !== undefined) constraints.push({ of: 'bound', said: bound });
  }
  const denied = reading.kind === 'history' ? negation.exec(text)?.[0] : undefined;
  if (denied !== undefined) constraints.push({ of: 'bound', said: denied });
  const [number, first, second] = numberOf.exec(text) ?? [];
  add('number', number, first ?? second);
  // `the config file a.json` is that one.
  const isOfOne = paths.some((path) => /[^.]\.\w+$/.test(path));
  const kinds = isOfOne ? [] : text.matchAll(/(?<![\w-])([A-Za-z][\w+#]*) files?\b/g);
  for (const [said, kind = ''] of kinds) if (isKind(withPlainKinds(kind))) add('files', said);
  return constraints;
}

const saysLittle = /^(?:since|until|anything|\d+)$/;
/** `last 5 lines`, `ERROR lines`: a choice among the lines of a file. */
const linesOf = /\b(?:(?:first|last)\s+\S+|[A-Z]{2,})\s+lines\b|\blast line\b|\blines?\s+\d+\b/;
/** `top 5`, `the 3 largest`: how many are wanted. */
const numberOf =
  /\b(?:top|first|last|latest|newest)\s+(\d{1,4})\b(?!\s+(?:lines?|hours?|days?|weeks?|months?|years?)\b)|\b(\d{1,4})\s+(?:largest|biggest|longest|newest|latest|oldest)\b/i;

function holds(reading: Reading | string, value: string): boolean {
  const text = JSON.stringify(reading);
  return new RegExp(`(?<![\\p{L}\\p{N}])${escapePattern(value)}(?![\\p{L}\\p{N}])`, 'iu').test(
    text,
  );
}
