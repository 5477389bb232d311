import { escapePattern } from '../../lib/text/escape.ts';
import { pathsIn } from '../../lib/text/words.ts';
import { from, pathOf } from '../drafts.ts';
import type { Kind } from '../kind.ts';
import { asShown, noFile } from '../shape.ts';
import { isCodeExtension, isFileExtension } from '../words/file-kinds.ts';
import { listedFile } from './listing.ts';

/** A file, or lines of it; its `purpose` is its beginning and what it defines. */
export type FileReading = { kind: 'file'; path: string; lines: Lines; wants?: 'purpose' };

/** `holding` are those that hold a word. */
export type Lines = {
  start?: number;
  end?: number;
  around?: number;
  last?: number;
  holding?: string;
};

export const file: Kind<FileReading> = {
  form: ({ text }) => readLines(text),
  rows: [
    {
      names: 'word',
      all: ['what explain describe purpose summarise summarize responsible'],
      also: 'does do for about of is job role responsible used',
      // A module is called after its file where no folder has its name.
      reads: ({ name, bag }) =>
        new RegExp(
          `\\b(?:does|is|explain|describe|of|summari[sz]e)\\s+(?:the\\s+)?["'\`]?${escapePattern(name)}["'\`]?\\s+(?:module|file|script)\\b`,
          'i',
        ).test(bag.question)
          ? { kind: 'file', path: name, lines: {}, wants: 'purpose' }
          : undefined,
    },
    {
      names: 'file',
      all: ['what explain describe purpose summarise summarize responsible'],
      also: 'does do for about of is job role good responsible contain used why exist file',
      reads: ({ file, bag }) =>
        /\b(?:does|do|for|about|explain|describe|purpose|summari[sz]e|responsible|role|job|good)\b/i.test(
          bag.question,
        ) && isCode(file)
          ? { kind: 'file', path: file, lines: {}, wants: 'purpose' }
          : undefined,
    },
    {
      names: 'file',
      all: [
        'what show open print cat view display content contents read see written inside head beginning look explain describe summarise summarize lines first',
      ],
      also: 'say contain contains lines says top first whole code stand in me do does 5 10 15 20 25 30 40 50 100',
      reads: ({ file, bag }) => ({ kind: 'file', path: file, lines: linesIn(bag.question, file) }),
    },
    {
      names: 'file',
      all: [],
      isLast: true,
      reads: ({ file, bag }) =>
        bag.all.size === 0 ? { kind: 'file', path: file, lines: {} } : undefined,
    },
  ],
  // `why does it fail at a.ts:12?`
  lateForm: ({ text }) => {
    const [path, ...others] = pathsIn(text);
    if (path === undefined || others.length > 0 || text.includes('\n')) return undefined;
    if (!isFileExtension(/\.(\w+)$/.exec(path)?.[1] ?? '')) return undefined;
    const { around } = linesIn(text, path);
    return around === undefined ? undefined : { kind: 'file', path, lines: { around } };
  },
  fallback: (text, asks, workspace) => {
    const listed = asks === 'list' ? listedFile(text, workspace) : undefined;
    if (listed !== undefined) return { kind: 'file', path: listed, lines: {} };
    const path = asks === 'show' ? pathsIn(text).find((found) => !found.includes('*')) : undefined;
    return path === undefined ? undefined : { kind: 'file', path, lines: linesIn(text, path) };
  },
  named: (mentions) => pathOf(mentions, (path) => ({ kind: 'file', path, lines: {} })),
  plan: ({ path, lines: { holding, ...lines }, wants }) => [
    { tool: 'file.find', input: { pattern: path, limit: 5 } },
    holding === undefined
      ? { tool: 'file.read', input: { path: from('s1', '/paths/0'), ...lines } }
      : {
          tool: 'search.grep',
          input: { pattern: holding, literal: true, path: from('s1', '/paths/0'), limit: 100 },
        },
    ...(wants === undefined
      ? []
      : [{ tool: 'search.symbols', input: { path: from('s1', '/paths/0'), limit: 100 } }]),
  ],
  // A file that is not there is not answered by what speaks of it.
  wider: (_, { isFirst }) => (isFirst ? [] : undefined),
  shape: ({ path, lines, wants }, { isWidened }) => {
    const none = { none: noFile(path), file: path };
    if (isWidened) return none;
    if (lines.holding !== undefined)
      return {
        rows: ['search.grep'],
        none: { text: `no line of ${path} holds ${lines.holding}`, hint: noFile(path).hint },
      };
    if (wants === 'purpose')
      return {
        ...none,
        says: 'its beginning and outline',
        leads: 1,
        skips: 'imports',
        whole: { pieces: 1, lines: 6 },
        rows: ['search.symbols'],
      };
    const isWhole = Object.keys(lines).length === 0;
    return { ...none, ...asShown, says: 'the file', ...(isWhole ? { skips: 'licence' } : {}) };
  },
  applies: ({ lines }) => (Object.keys(lines).length > 0 ? ['lines'] : []),
  isLoose: true,
};

const ranged = /\blines? \d+|\b(?:first|last) (?:\d+ lines|line)\b/i;

/** `lines 10 to 20 of queues.py`. */
function readLines(question: string): FileReading | undefined {
  const [path] = pathsIn(question).filter((found) => !found.includes('*'));
  // A traceback has lines of files, too.
  if (question.includes('\n')) return undefined;
  if (
    path === undefined ||
    !(ranged.test(question) || holding.test(question)) ||
    !/[^/.]\.\w+$/.test(path)
  )
    return undefined;
  return { kind: 'file', path, lines: linesIn(question, path) };
}

/** `ERROR lines in a.log`, `lines with "lost" of a.log` */
const holding =
  /(?<!\b(?:without|except|excluding|not|no) (?:the )?)\b([A-Z]{2,}) lines\b|\blines (?:that )?(?:with|holding|containing|mentioning|hold|contain|mention) ["'`]?([^"'`\s]+)["'`]?/;

/** `lines 5 to 7`, `line 12`, and places as answers print them: `a.ts:5-7`, `a.ts:12`. */
function linesIn(question: string, path: string): Lines {
  const behind = question.slice(question.indexOf(path) + path.length);
  const place = /^:(\d+)(?:[-–](\d+))?/.exec(behind);
  if (place?.[2] !== undefined) return { start: Number(place[1]), end: Number(place[2]) };
  if (place !== null) return { around: Number(place[1]) };
  const range = /\blines?\s+(\d+)\s*(?:-|–|to|through|and|until)\s*(\d+)/i.exec(question);
  if (range !== null) return { start: Number(range[1]), end: Number(range[2]) };
  const [, shouted, named] = holding.exec(question) ?? [];
  const held = shouted ?? named;
  if (held !== undefined) return { holding: held };
  const last = /\blast (?:(\d+) lines|line\b)/i.exec(question);
  if (last !== null) return { last: Number(last[1] ?? 1) };
  const first = /\bfirst (?:(\d+) lines|line\b)/i.exec(question);
  if (first !== null) return { start: 1, end: Number(first[1] ?? 1) };
  const line = /\bline\s+(\d+)/i.exec(question);
  return line === null ? {} : { start: Number(line[1]), end: Number(line[1]) };
}

/** A file that defines something; a document says what it is about itself. */
function isCode(file: string): boolean {
  return isCodeExtension(/\.(\w+)$/.exec(file)?.[1] ?? '');
}
