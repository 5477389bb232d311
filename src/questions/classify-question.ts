import { isFileExtension } from './words/file-kinds.ts';

/** What kind of answer a question wants. */
export type QuestionKind = 'where' | 'how' | 'list' | 'show' | 'todo';

const marks = '(?:todos?|to-dos?|fixmes?|hacks?)';
const beforeMarks =
  "please|so|and|can|you|tell|list|show|print|find|search|grep|look|count|give|get|display|see|me|us|for|what|what's|which|how many|number|where|are|is|there|do|does|we|i|have|has|contains?|any|anything|all|every|each|the|(?<=there |has |have )an?|my|our|of|in|on|these|this|those|open|pending|remaining|left|outstanding|unresolved|unfinished|oldest|newest|first|last|most|highest|priority|comments?|files?|tasks?|things|code|still|with|\\d+";
const behindMarks =
  'in|of|for|from|below|under|by|on|about|with|that|which|left|remain\\w*|are|is|exist|here|there|and|or|do|did|we|i|still|were|was|have|has|to|not|but|except|without|since|until|last|this|assigned|comments?|marks?|markers?|notes?|tags?|items?|tasks?|entries|lists?|lines?|due|today|done|open|mention\\w*|contain\\w*';
/** The marks themselves: `list the open todos`, and not `which function deletes a todo item?` */
const todo = new RegExp(
  `^\\s*(?:(?:${beforeMarks}|${marks}|(?!(?:${beforeMarks}|${marks})\\s)\\w+(?:(?<=\\b(?:in|below|under) \\w+)|(?<!\\b(?:in|below|under) \\w+)(?= (?:has|have|contains?)\\s))|[^\\s,:./]*[./][^\\s,:]*)[\\s,:]+)*${marks}(?:\\s*(?:[?.!,:;]+\\s|[?.!]*$)|\\s+(?:${behindMarks})\\b)|\\b(?:left to (?:do|be done|finish|implement)|still to do|unfinished|remaining work|remains? to be (?:done|finished|implemented))\\b`,
  'i',
);
/** The same words stand in errors (`compression not implemented`) and are said of connections. */
const openWork =
  /^\s*(please\s+|so\s+|(can you\s+)?tell me\s+)?(what|which|list|show|is there|are there|any|anything|everything)\b(?! (happens|does|do|did|if|when|kind)\b).*\b(still (missing|open)|not (yet )?(done|implemented|finished)|outstanding)\b/i;
const list =
  /^\s*(please\s+)?(list|enumerate|name all|which (\S+ ){0,2}files|what (\S+ ){0,2}files|find (all|every)|show (me )?(all|every)|how many|what is in|what's in|(show|print|draw) (me )?the (\S+ )?(tree|structure|layout|folders|directories))\b/i;
const show = /^\s*(please\s+)?(show|open|print|display|cat|read|view|let me see|give me)\b/i;
const where =
  /\b(where|which (file|function|class|module|place|code|part)|in (what|which) file|who (calls|reads|uses|sets|writes)|find)\b/i;

/** A path and nothing else, or a place as compilers and answers print it: `src/a.ts:12:5`. */
const place =
  /^\s*[`"']?((?!\w+:\/\/)[^\s"'`:*()]*[^\s"'`:*()/.]\.([A-Za-z]\w{0,9}))(:\d+(?:[-–:]\d+)?)?[`"']?:?\s*$/;

/** By its words alone; what fits nothing wants an explanation. */
export function classifyQuestion(question: string): QuestionKind {
  if (todo.test(question) || openWork.test(question)) return 'todo';
  if (list.test(question)) return 'list';
  if (show.test(question) || isPlace(question)) return 'show';
  if (where.test(question)) return 'where';
  return 'how';
}

/** `console.log` looks like the name of a file and is not one. */
function isPlace(question: string): boolean {
  const [, path, extension = '', line] = place.exec(question) ?? [];
  if (path === undefined) return false;
  return line !== undefined || path.includes('/') || isFileExtension(extension);
}
