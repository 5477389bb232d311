import type { AskIntent } from '../contracts/intent.ts';

const table = /\.(?:csv|tsv|jsonl?|ndjson|log|xlsx|parquet)$/i;
const computed =
  /\b(?:total|sum|average|mean|median|highest|lowest|maximum|minimum|max|min|most|least|largest|smallest)\b/i;
/** One of many, by a comparison of all. */
const compared =
  /^\s*(?:which|what|who|whose|where|list|show|find|the)\b.*?((?<!\bat )\b(?:(?:most|least)(?! of\b| likely\b)(?: \p{L}+)?|(?:larg|bigg|small|long|short|high|low|fast|slow|cheap|old|new|heavi|bus)(?:i?est)))\b/iu;
const comparesAll = new Set(['size', 'complexity', 'history']);
/** `average length of functions` */
const sums =
  /^\s*(?:(?:what(?:['’]s| is| was| are)|show|give me|calculate|compute)\s+)?(?:the\s+)?(average|mean|median|sum)\b/i;
/** Verbs that are no other word; an order of them that names its object is refused before. */
const deed =
  /^\s*(?:please\s+)?(convert|create|delete|generate|implement|install|make|refactor|remove|rename|repair|rewrite|simplify|translate|upgrade)\s/i;
/** A number that the person wants counted; what a thing has, needs or may have is written. */
const tallied =
  /^\s*how (?:many(?: \p{L}+)?|much(?! (?:is|are|was|were|costs?)\b)|often)\b(?!.*\b(?:does|do|can|may|must|should|needs?)\b(?! (?:i|we)\b))/iu;
/** What lists of code do not tell apart. */
export const choice =
  /\b(?:exported|public|private|protected|static|abstract|async|asynchronous|deprecated|unused|undocumented|untested)\b/i;

const ofCode = '(?:functions?|methods?|classes|exceptions|interfaces|enums|structs|types)';
const counted = /\bhow many (\p{L}+)|^\s*count (?:the )?(\p{L}+)/iu;
const listed = new RegExp(
  `^\\s*(?:which|what|list|show)(?: all)?(?: the)?(?: ${choice.source})? (${ofCode})\\b`,
  'i',
);
const filesThat =
  /^\s*(?:which|list|show|find)(?: all)?(?: the)?(?: \p{L}+)? (files|folders|tests) (?:that|which|with|where)\b/iu;
const whichAre =
  /^\s*which (?:\p{L}+ ){0,2}?(\p{L}+s) (?:are|were|have|had|lack|need|contain)\b(?:\s+\S+){0,4}\s*$/iu;
/** `list the packages`, and nothing else */
const wholeList = /^\s*list(?: all)?(?: the)? ((?:\p{L}+ ){0,2}\p{L}+s)\s*[.?!]*$/iu;
const whenDone =
  /^\s*(?:since when\b|when (?:was|were|did)\b.*\b(?:add\w*|introduced?|released|chang\w+|merged?|fix\w*|removed?)\s*[.?!]*$)/i;
const byWhom =
  /^\s*who\b.*\b(?:commit\w*|chang\w+|wrote|written|edited|modified|broke|introduced)\b/i;

/**
 * The form of an answer that passages do not have: a number of things in a file, a list of code, a
 * name of git's.
 *
 * @param isLoose the words are searched, whatever they ask for
 */
export function unmetIn({ mentions, readings: [{ kind }] }: AskIntent, isLoose: boolean): string[] {
  const { text, paths } = mentions;
  const [, many, thing = many] = counted.exec(text) ?? [];
  const isOfCode = thing !== undefined && new RegExp(`^${ofCode}$`, 'i').test(thing);
  if (isOfCode && (isLoose || kind === 'listing')) return [`how many ${thing} (not counted)`];
  const one = comparesAll.has(kind) ? undefined : compared.exec(text)?.[1];
  if (one !== undefined) return [`${one} (not compared)`];
  if (!isLoose) return [];
  if (thing !== undefined && paths.some((path) => /[^.]\.\w+$/.test(path)))
    return [`how many ${thing} (not counted)`];
  const isTable = paths.some((path) => table.test(path));
  const figure = isTable ? computed.exec(text)?.[0] : sums.exec(text)?.[1];
  if (figure !== undefined) return [`${figure} (not computed)`];
  const tally = tallied.exec(text)?.[0];
  if (tally !== undefined) return [`${tally.trim()} (not counted)`];
  const done = deed.exec(text)?.[1];
  if (done !== undefined && !text.includes('?')) return [`${done} (doing needs a model)`];
  const list = [listed, filesThat, whichAre, wholeList]
    .map((form) => form.exec(text)?.[1])
    .find((thing) => thing !== undefined);
  if (list !== undefined) return [`which ${list} (not listed)`];
  if (byWhom.test(text)) return ['who (git was not asked)'];
  return whenDone.test(text) ? ['when (git was not asked)'] : [];
}

/** Whether what was left out is a form of answer, which a tool of a plugin may have given. */
export function isUnmetForm(leftOut: string): boolean {
  return / \((?:not counted|not computed|not compared|not listed|git was not asked|doing needs a model)\)$/.test(
    leftOut,
  );
}
