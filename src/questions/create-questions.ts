import { KernelError } from '../contracts/error.ts';
import { maxQuestionLength } from '../contracts/events.ts';
import type { AskIntent, Intent } from '../contracts/intent.ts';
import type { Asked, Questions, ReadQuestion } from '../contracts/questions.ts';
import {
  readPeriod,
  readThen,
  unreadTimesIn,
  withoutPeriod,
  withoutThen,
} from '../lib/text/read-time.ts';
import { truncateMiddle } from '../lib/text/truncate-middle.ts';
import { contentWords } from '../lib/text/words.ts';
import { intentAs } from './as-kind.ts';
import { exclusionIn, leftOutOf, longestBound, wantsList } from './constraints.ts';
import { followUp, refersBack } from './follow-up.ts';
import { kindOf } from './kinds.ts';
import { commandOf, readOrder } from './orders.ts';
import { planIntent, planNames, planWider } from './plan-intent.ts';
import { misspelledOnly, readAgain } from './read-again.ts';
import { readIntent, toolCall } from './read-intent.ts';
import { usual } from './shape.ts';
import { shapeOf } from './shape-of.ts';
import { spokenTool } from './tools/spoken-tools.ts';
import { plainQuestion } from './words/plain-question.ts';
import { readMentions } from './words/read-mentions.ts';
import { toEnglish } from './words/to-english.ts';

export function createQuestions(): Questions {
  return {
    read,
    plan: (intent, { attempt = 'first', ...on }) => {
      if (intent.kind === 'note') return [];
      if (intent.kind === 'call') {
        const effect = on.tools.find(({ name }) => name === intent.tool)?.effect ?? 'external';
        return [{ id: 's1', tool: intent.tool, input: intent.input, needs: [], effect }];
      }
      if (attempt === 'wider') return planWider(intent, on.tools);
      if (attempt === 'names') return planNames(intent, on.tools);
      return planIntent(
        intent,
        attempt === 'without-git' ? { tools: on.tools, repository: false } : on,
      );
    },
    shape: (intent, on) => {
      if (intent.kind === 'ask') return shapeOf(intent, on);
      const says = intent.kind === 'call' ? intent.says : undefined;
      return says === undefined ? usual : { ...usual, says };
    },
  };
}

function read(text: string, asked: Asked): ReadQuestion {
  const { tools, workspace, as, again, given = '', isModel = false, nowMs } = asked;
  if (again !== undefined) {
    const meant = misspelledOnly(again.meant);
    const reread = (words: string) => readIntent(words, tools, workspace);
    const intent = readAgain(again.intent, meant, reread);
    if (intent === undefined) return { intent: again.intent, spelled: [], isOfGiven: false };
    const { own } = again.intent.mentions;
    const mentions = own === undefined ? intent.mentions : { ...intent.mentions, own };
    const read = honest({ ...intent, mentions });
    return { intent: read, spelled: meant.spelled, isOfGiven: false };
  }
  const order = as === undefined ? orderIn(text, asked) : undefined;
  if (order !== undefined) return { intent: order, spelled: [], isOfGiven: false };
  const isLong = text.length > longestBound;
  const asOf = nowMs === undefined || isLong ? undefined : readThen(text, nowMs);
  const past = asOf && { ...asOf, beside: withoutThen(text) };
  const alone = standingAlone(text, asked);
  const whole = isModel ? undefined : asOfText(alone ?? text, given);
  const said = whole ?? alone ?? text;
  // What a list is to leave out would be read as what it is about; a fact is kept whole.
  const asSaid = readIntent(said, tools, workspace);
  const isList = !isLong && asSaid.kind === 'ask' && wantsList(said);
  const excluded = isList ? exclusionIn(said) : undefined;
  const words = excluded === undefined ? said : said.replace(excluded, '');
  const toRead = excluded === undefined ? asSaid : readIntent(words, tools, workspace);
  const intent = intentAs(toRead, as);
  return {
    intent: honest(
      nowMs === undefined || as !== undefined ? intent : inTime(intent, words, asked, nowMs),
      past,
      excluded,
    ),
    spelled: [],
    ...(alone === undefined ? {} : { readAs: alone }),
    isOfGiven: whole !== undefined,
  };
}

/** A call that is typed as one says more than an order in words. */
function orderIn(text: string, { tools, orders: facts, isModel = false }: Asked) {
  if (text.length > longestOrder) return undefined;
  const plain = plainQuestion(text.trim()).replace(/(?<=\w)[.!]+$/, '');
  const order = orderOf(text, toEnglish(plain).text, { tools, facts, isModel });
  if (order === undefined || tools.every(({ name }) => name !== order.tool)) return undefined;
  const { tool, input } = order;
  const line = typeof input.command === 'string' ? input.command : commandOf(order);
  const says = `what ${line} says`;
  return { kind: 'call' as const, tool, input, mentions: readMentions(text, false), says };
}

/**
 * A call as it is typed is no order; what a tool of an installed plugin does needs no model, whether
 * or not all is said that it takes.
 */
function orderOf(
  text: string,
  english: string,
  { tools, ...on }: Pick<Asked, 'tools'> & Parameters<typeof readOrder>[2],
): ReturnType<typeof readOrder> {
  try {
    return readOrder(text.trim(), english, on);
  } catch (thrown) {
    if (toolCall(text.trim(), tools) !== undefined) return undefined;
    if (spokenTool(readMentions(english, false), tools, { isParticular: false })) return undefined;
    throw thrown;
  }
}

/** Longer ones say what is to be thought about. */
const longestOrder = 400;

/** A kind that knows of times is asked for that time alone; its words name nothing else. */
function inTime(intent: Intent, text: string, { tools, workspace }: Asked, nowMs: number): Intent {
  if (intent.kind !== 'ask' || text.length > longestBound) return intent;
  const span = readPeriod(text, nowMs);
  const time = {
    ...(span === undefined || span.fromMs === 0 ? {} : { since: timeText(span.fromMs) }),
    ...(span === undefined ? {} : { until: timeText(span.toMs) }),
  };
  const bound = ({ readings: [reading, ...others] }: AskIntent): AskIntent | undefined => {
    const own = kindOf(reading).within?.(reading, time);
    return own === undefined ? undefined : { ...intent, readings: [own, ...others] };
  };
  // Any time is asked of as the usual one is; one that is not read is named, and asked of nothing.
  const unread = unreadTimesIn(text);
  if (unread.length === 0 && span === undefined) return intent;
  const [first = '', ...others] = unread;
  const timed = others.reduce((left, each) => left.replace(each, ' '), text);
  // Of a time that is not read, only what asks for changes is asked without it.
  const usually =
    span !== undefined ? ['recently', 'last week'] : asksOfChanges.test(text) ? ['recently'] : [];
  for (const usual of [' ', ...usually]) {
    const words =
      span === undefined
        ? timed.replace(first, usual)
        : withoutPeriod(timed.replace(first, ' '), usual);
    const read = words === text ? intent : readIntent(words, tools, workspace);
    const own = read.kind === 'ask' ? bound(read) : undefined;
    if (own !== undefined) return own;
  }
  return intent;
}

const asksOfChanges = /\b(?:chang|happen|commit|merg|did|done|new\b)/i;

function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** What no part of a plan will apply is a value of the reading. */
function honest<Each extends Intent>(
  intent: Each,
  past?: AskIntent['past'],
  excluded?: string,
): Each {
  if (intent.kind === 'note')
    return { ...intent, otherwise: honest(intent.otherwise, past, excluded) };
  if (intent.kind === 'call') return intent;
  const leftOut = leftOutOf(intent, excluded);
  return {
    ...intent,
    ...(leftOut.length === 0 ? {} : { leftOut }),
    ...(past === undefined ? {} : { past }),
  };
}

/**
 * The words of a question with what they stand for.
 *
 * @returns undefined where it stands alone
 * @throws {KernelError} `not-found` where it speaks of `it` and nothing came before
 */
function standingAlone(question: string, { last, isModel }: Asked): string | undefined {
  const text = last ? followUp(question, last) : undefined;
  if (text !== undefined) return text;
  const word = refersBack(question);
  // A model has the conversation itself.
  if (word === undefined || isModel) return undefined;
  const reason = last ? 'the last answer shows none' : 'no answer came before';
  throw new KernelError('not-found', `"${word}" stands for nothing: ${reason}`, {
    hint: 'Name what is meant, or go on with the last question: cuervo ask -c "…"',
  });
}

/** Words of a question that says little itself: `why does this fail?` */
const fewWords = 2;

/**
 * A text that says itself what a question about it is about: an error with the places of its trace.
 *
 * @returns undefined where the question says it, or the text holds none
 */
function asOfText(question: string, text: string): string | undefined {
  if (!/^\s*(?:why|what|explain)\b/i.test(question) || !tracePlace.test(text)) return undefined;
  if (contentWords(question).length > fewWords) return undefined;
  return truncateMiddle(text, maxQuestionLength);
}

/**
 * A line of a trace, or of a compiler, that names a place: `File "a.py", line 3`, `at f (a.js:1:2)`,
 * `a.rb:3:in`, `#0 /a.php(3):`, `a.go:12 +0x1d`, `(app 0.1.0) lib/a.ex:3:`, `in /a.cs:line 3`.
 */
const tracePlace =
  /^\s*File "[^"\n]+", line \d+|^\s*at .*?[\w>]\.\w{1,5}:(?:line )?\d+|\S\.\w{1,5}(?::\d+|\(\d+\)):|\S\.\w{1,5}:\d+(?::\d+)?(?: \+0x[\da-f]+)?\s*$/m;
