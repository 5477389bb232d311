import type { AskIntent, Reading } from '../contracts/intent.ts';
import { escapePattern } from '../lib/text/escape.ts';
import { periodIn, timeIn, unreadTimesIn } from '../lib/text/read-time.ts';
import { contentWords } from '../lib/text/words.ts';
import type { ConstraintKind } from './kind.ts';
import type { FileReading } from './kinds/file.ts';
import type { HistoryReading } from './kinds/history.ts';
import { kindOf } from './kinds.ts';
import { isKindWord } from './read-rows.ts';
import { authorIn } from './words/commit-names.ts';
import { isKind, withPlainKinds } from './words/file-kinds.ts';

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
 */
export function leftOutOf(intent: AskIntent): string[] {
  const [reading] = intent.readings;
  const applied = kindOf(reading).applies?.(reading) ?? [];
  const unmet = unmetIn(intent, applied === 'all');
  const { folder = '', paths } = intent.mentions;
  if (applied === 'all') {
    // Only that one file is searched.
    const others = paths.includes(folder) ? paths.filter((path) => path !== folder) : [];
    const unsaid = constraintsOf(intent).filter(
      ({ of, said }) =>
        (of === 'lines' && /^line \d/.test(said) && !intent.mentions.text.includes('\n')) ||
        (of === 'time' && (fromNow.test(said) || boundOf.test(said))) ||
        (of === 'bound' && isList.test(intent.mentions.text)),
    );
    return once([...others, ...unsaid.map(({ said }) => said), ...unmet]);
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
  return once([...left, ...unread, ...unmet]);
}

/** Each once, and none that another one holds. */
function once(left: readonly string[]): string[] {
  const all = [...new Set(left)];
  return all.filter((each) => all.every((other) => other === each || !other.includes(each)));
}

/** `since the release`: a time that no date says. */
const boundOf = /\b(?:since|until|before|after|during)\s+\S.*?(?=[?.!]*$)/i;
/** The text of files does not say it. */
const fromNow = /\b(?:last|past|previous|this|next|ago|yesterday|today|tomorrow)\b/i;
/** `longer than 50 lines`, `over 20 KB` */
const comparison =
  /\b(?:(?:(?:more|fewer|less|longer|shorter|larger|bigger|smaller|older|newer|greater) than|at (?:least|most))\s+\d|(?:over|under|above|below)\s+\d)\S*(?:\s+\p{L}+)?/iu;
/** `outside of tests`, `without INFO lines` */
const excluded =
  /\b(?:outside(?: of)?|except(?: for)?|excluding|without|apart from|other than|but not|ohne|außer|sin|excepto|sauf|sans)\s+(?:the\s+)?\S+?(?:\s+\p{L}+)?(?=[?.!,]*$)/iu;
/** `as a table`: another form of what is there. */
const asForm = /\bas (?:an? )?(?:json|yaml|toml|csv|xml|html|markdown|table|list|chart)\b/i;
/** A list of what is so. */
const isList =
  /^\s*(?:which|list|show|find|how many|(?:what )?(?:files|functions|methods|classes|tests|lines)\b)/i;
const table = /\.(?:csv|tsv|jsonl?|ndjson|log|xlsx|parquet)$/i;
const computed =
  /\b(?:total|sum|average|mean|median|highest|lowest|maximum|minimum|max|min|most|least|largest|smallest)\b/i;

const ofCode = '(?:functions?|methods?|classes|exceptions|interfaces|enums|structs|types)';
const counted = /\bhow many (\p{L}+)|^\s*count (?:the )?(\p{L}+)/iu;
const listed = new RegExp(`^\\s*(?:which|what|list|show)(?: all)?(?: the)? (${ofCode})\\b`, 'i');
const byWhom = /^\s*who\b.*\b(?:commit\w*|chang\w+|wrote|written|edited|modified)\b/i;

/**
 * The form of an answer that passages do not have: a number of things in a file, a list of code, a
 * name of git's.
 *
 * @param isLoose the words are searched, whatever they ask for
 */
function unmetIn({ mentions, readings: [reading] }: AskIntent, isLoose: boolean): string[] {
  const { text, paths } = mentions;
  const [, many, thing = many] = counted.exec(text) ?? [];
  const isOfCode = thing !== undefined && new RegExp(`^${ofCode}$`, 'i').test(thing);
  if (isOfCode && (isLoose || reading.kind === 'listing'))
    return [`how many ${thing} (not counted)`];
  if (!isLoose) return [];
  if (thing !== undefined && paths.some((path) => /[^.]\.\w+$/.test(path)))
    return [`how many ${thing} (not counted)`];
  const figure = paths.some((path) => table.test(path)) ? computed.exec(text)?.[0] : undefined;
  if (figure !== undefined) return [`${figure} (not computed)`];
  const list = listed.exec(text)?.[1];
  if (list !== undefined) return [`which ${list} (not listed)`];
  return byWhom.test(text) ? ['who (git was not asked)'] : [];
}

/** Whether what was left out is a form of answer, which a tool of a plugin may have given. */
export function isUnmetForm(leftOut: string): boolean {
  return / \((?:not counted|not computed|not listed|git was not asked)\)$/.test(leftOut);
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
  return contentWords(rest).filter(
    (word) =>
      !saysLittle.test(word) && !isKindWord(word) && !holds(reading, word) && !holds(folder, word),
  );
}

function constraintsOf({ mentions, readings: [reading] }: AskIntent): Constraint[] {
  const { text, own = text, paths } = mentions;
  const constraints: Constraint[] = paths
    .filter((path) => /\/|[^.]\.\w+$/.test(path) && !/^\d+\/\d+\/\d+$/.test(path))
    .map((path) => ({ of: 'place', said: path, value: path }));
  const add = (of: ConstraintKind, said: string | undefined, value = said): void => {
    if (said !== undefined && value !== undefined) constraints.push({ of, said, value });
  };
  for (const path of paths) {
    const [, line] = /^:(\d+)/.exec(text.slice(text.indexOf(path) + path.length)) ?? [];
    if (line !== undefined) add('lines', `line ${line}`);
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
  for (const bounds of [comparison, excluded, asForm]) {
    const [bound] = bounds.exec(text) ?? [];
    if (bound !== undefined) constraints.push({ of: 'bound', said: bound });
  }
  const [number, first, second] = numberOf.exec(text) ?? [];
  add('number', number, first ?? second);
  for (const [said, kind = ''] of text.matchAll(/(?<![\w-])([A-Za-z][\w+#]*) files?\b/g))
    if (isKind(withPlainKinds(kind))) add('files', said);
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
