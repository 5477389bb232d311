/** Limit for a question that is one long paste. */
const maxMessages = 4;
const maxCharacters = 80;
/** Fewer words in a row stand in many places; quotes say that they belong together. */
const leastQuoted = 2;
const leastTold = 3;

/** `4.6.0` of a question; a text that tells what happened has numbers of every kind. */
const version = /(?<![\w.])(?:v(?=\d))?(\d+(?:\.\d+)+)(?![\w.]*\w)/g;
const longestAsked = 200;

/**
 * What a question repeats of a message: texts in quotes, and what stands behind `error:` up to what
 * a program may have filled in, which are quotes, numbers and signs; and versions, which are no word.
 *
 * @returns texts of several words each and versions, to be found as they stand
 */
export function findMessages(question: string): string[] {
  const quoted = [...question.matchAll(quotes)].map(
    ([, tick, double, single]) => tick ?? double ?? single ?? '',
  );
  const told = prefix.exec(question)?.[1] ?? '';
  const [got = ''] = plainRuns(had.exec(question)?.[1] ?? '');
  const filled = plainRuns(quotedIn.exec(question)?.[1]?.replace(quotes, ' " ') ?? '');
  const found = [
    ...quoted.filter((text) => wordsIn(text) >= leastQuoted),
    ...plainRuns(told.replace(quotes, ' " ')).filter((text) => wordsIn(text) >= leastTold),
    ...[got, ...filled.map((run) => run.replace(/ \S+$/, ''))].filter(
      (text) => wordsIn(text) >= leastTold,
    ),
    ...(question.length > longestAsked
      ? []
      : [...question.matchAll(version)].map(([, number = '']) => number)),
  ];
  return [...new Set(found.map(headOf))].slice(0, maxMessages);
}

/** Never half of a character, which no text holds. */
function headOf(text: string): string {
  return text
    .trim()
    .slice(0, maxCharacters)
    .replace(/[\ud800-\udbff]$/, '');
}

const quotes = /`([^`\n]+)`|"([^"\n]+)"|(?<!\w)'([^'\n]+)'(?!\w)/g;
const prefix = /\b(?:\w*error|\w*exception|warning|fatal|panic)\b:\s*(.+)/i;
/** `I get the error no such lamp, what is wrong?`: no colon parts it from what somebody says. */
const had =
  /\b(?:gets?|got|getting|seeing|see|says?|said|fails with|failed with|shows?)\s+(?:me\s+)?(?:(?:an?|the|this)\s+)?(?:errors?|exceptions?|warnings?|messages?)\s+([^:"'`]+)$/i;
/** `I get "lamp" is not a known light`: beside what is quoted, the last word may be filled in, too. */
const quotedIn = /^\W*I\s+(?:keep\s+)?(?:get|got|see|getting)\s+(.*["`'].*)$/i;
const plainWord = /^[\p{L}\p{M}'-]+$/u;

/** Words in a row that no number, name or sign parts. */
function plainRuns(text: string): string[] {
  const runs: string[][] = [[]];
  for (const token of text.split(/\s+/)) {
    const word = token.length > maxCharacters ? '' : token.replace(/[,;.:!?]+$/, '');
    if (plainWord.test(word)) runs.at(-1)?.push(word);
    if (word !== token || !plainWord.test(word)) runs.push([]);
  }
  return runs.map((words) => words.join(' '));
}

function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}
