import { isDeepStrictEqual } from 'node:util';
import { structuredPatch } from 'diff';
import type {
  ConsentEffect,
  ConsentRequest,
  CoveredStep,
  GitQuestion,
  OwnProgramFacts,
  ProposedChange,
  SentContent,
} from '../contracts/consent.ts';
import { columnsOf } from '../lib/text/columns.ts';
import { isSeen, showExact } from './show-exact.ts';

/** Characters shown of one argument, path or line; the rest is counted. */
const maxTextLength = 400;
/** And of the input of a server, which is all that it gets. */
const maxInputLength = 4_000;
const maxArguments = 60;
const maxDiffLines = 60;
/** Column of the text after a label. */
const indent = 12;
const minColumns = 40;
/** With more edits than this a file counts as rewritten. */
const maxEditLength = 2000;

/**
 * The text a person reads before a yes: the effect with every argument, who wants it, its
 * confinement, and the effect of each answer. Foreign words are in quotes after a label, so that
 * none of them can look like the question. A line too long for the terminal continues under the
 * labels, not at the edge.
 *
 * @param columns width of the terminal
 * @param answers what each answer means; undefined for those of a terminal
 */
export function consentText(
  request: ConsentRequest,
  columns = 80,
  answers: readonly string[] = answerLines(request),
): string {
  const { effect, covers = [], plugin, digest, builtin, tool, tier } = request;
  const who = builtin ? 'built in' : `SHA-256 ${digest}`;
  const tools = covers.length === 0 ? [tool] : covers.map((each) => each.tool);
  const names = [...new Set(tools)].flatMap((name) => (name === undefined ? [] : showExact(name)));
  const by = names.length === 0 ? '' : ` (${names.join(', ')})`;
  return [
    '',
    `cuervo asks: ${covers.length === 0 ? headline(effect) : planHeadline(effect, covers)}`,
    '',
    ...(covers.length === 0 ? effectLines(effect) : coveredLines(covers)),
    '',
    // After a long list, next to the answer.
    ...(covers.length === 0
      ? []
      : [line('covers', `${covers.length} steps: ${quoted(covers.map(({ step }) => step))}`)]),
    line('for', `${kindOf(effect)} ${showExact(plugin)}${by}, ${who}`),
    line('held by', tier),
    ...afterLine(request),
    '',
    ...answers,
    '',
  ]
    .flatMap((text) => wrap(text, Math.max(columns, minColumns) - 1))
    .join('\n');
}

/** The longest command that is shown in one line. */
const lineLength = 160;

/**
 * The question as it is put first: what will happen, and all that a person has to beware of. The
 * rest is `consentText`, which `?` shows.
 */
export function consentQuestion(request: ConsentRequest, columns = 80): string {
  const { effect, covers = [], plugin, digest, builtin, tier, task } = request;
  const isSafe = !tier.startsWith('NOTHING');
  const command = covers.length === 0 ? commandLine(request) : undefined;
  return [
    '',
    ...(command === undefined
      ? [
          `cuervo asks: ${covers.length === 0 ? headline(effect) : planHeadline(effect, covers)}`,
          ...(covers.length === 0 ? effectLines(effect) : coveredLines(covers)),
        ]
      : [command, ...bewareLines(effect)]),
    ...(covers.length === 0
      ? []
      : [line('covers', `${covers.length} steps: ${quoted(covers.map(({ step }) => step))}`)]),
    ...(builtin ? [] : [line('for', `${kindOf(effect)} ${showExact(plugin)}, SHA-256 ${digest}`)]),
    ...(isSafe ? [] : [line('held by', tier)]),
    ...afterLine(request),
    ...(task === undefined ? [] : [line('t', `all of this task: ${task.join('; ')}`)]),
    '',
  ]
    .flatMap((text) => wrap(text, Math.max(columns, minColumns) - 1))
    .join('\n');
}

/** `cuervo asks: may "npm" "test" run? In a sandbox, without a network.` */
function commandLine({ effect, tier }: ConsentRequest): string | undefined {
  if (effect.capability !== 'exec' || effect.asks !== undefined) return undefined;
  const { program, args, cwd } = effect;
  const words = [program, ...args].map((word) => showExact(word, maxTextLength)).join(' ');
  if (words.length > lineLength || args.length > maxArguments) return undefined;
  const place = cwd === 'work:' ? '' : ` in ${showExact(cwd, maxTextLength)}`;
  const held = tier.startsWith('NOTHING')
    ? 'Without a sandbox.'
    : `In a sandbox${tier.includes('no network') ? ', without a network' : ''}.`;
  return `cuervo asks: may ${words} run${place}? ${held}`;
}

/** What of a program its command does not say. */
function bewareLines(effect: ConsentEffect): string[] {
  if (effect.capability !== 'exec') return [];
  const { stdin, own } = effect;
  return [
    ...(own === undefined ? [] : ownLines(own)),
    ...(stdin === undefined ? [] : [line('it reads', showExact(stdin, maxTextLength))]),
    ...reachLines(effect),
  ];
}

function reachLines({
  origins = [],
  replaceable,
  lasting = [],
}: Extract<ConsentEffect, { capability: 'exec' }>): string[] {
  return [
    ...origins.map((origin) => line('may talk', `to ${showExact(origin, maxTextLength)}`)),
    ...(replaceable ? [line('beware', 'its file is not protected from being replaced')] : []),
    ...lasting.map((text) => line('undo', showExact(text, maxTextLength))),
  ];
}

function afterLine({ afterReading }: ConsentRequest): string[] {
  return afterReading === undefined
    ? []
    : [line('after', `the model read ${showExact(afterReading)}, which is not trusted`)];
}

function kindOf({ capability }: ConsentEffect): string {
  return capability === 'call' ? 'MCP server' : 'plugin';
}

/** A word that is longer is cut. */
const longWord = 16;

/** Cuts a line into pieces that fit; those after the first are indented. */
function wrap(text: string, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const character of text) {
    const wide = columnsOf(character);
    if (used + wide > width) {
      // Breaks between words, if the last word is short enough to move.
      const at = piece.lastIndexOf(' ') + 1;
      const word = at > Math.max(indent, piece.length - longWord) ? piece.slice(at) : '';
      pieces.push(piece.slice(0, piece.length - word.length));
      piece = ' '.repeat(indent) + word;
      used = columnsOf(piece);
    }
    piece += character;
    used += wide;
  }
  return [...pieces, piece];
}

/** The answers that there are, in the order of the prompt. */
export function answersTo(request: ConsentRequest): string[] {
  const { effect } = request;
  const once =
    (effect.capability === 'fs-write' &&
      (effect.runBy !== undefined || readOnlyOf(effect.change) !== undefined)) ||
    (effect.capability === 'exec' && effect.eachTime === true) ||
    request.afterReading !== undefined;
  const isEdited =
    (effect.capability === 'exec' && effect.asks === undefined) ||
    request.covers !== undefined ||
    editedText(request.effect) !== undefined;
  // A grant would not cover the next such change.
  const isOnce = once && request.covers === undefined;
  // Without a session it would be the same as `y`.
  const session = request.inSession ? ['s'] : [];
  const kept = isOnce ? [] : [...session, 'p'];
  const task = request.task === undefined ? [] : ['t'];
  return ['y', ...task, ...kept, ...(isEdited ? ['e'] : []), 'n'];
}

function headline(effect: ConsentEffect): string {
  if (effect.capability === 'exec' && effect.asks !== undefined)
    return 'filter' in effect.asks ? 'may git run this filter?' : 'may git use this repository?';
  if (effect.capability === 'exec') return 'may this program run?';
  if (effect.capability === 'http') return 'may this request be sent?';
  if (effect.capability === 'call') return 'may this server be called?';
  return 'may this change be made?';
}

function readOnlyOf(change: ProposedChange): string | undefined {
  return 'readOnly' in change ? change.readOnly : undefined;
}

/** The text that a change would give a file, where it is one that a person can edit. */
export function editedText(effect: ConsentEffect): Uint8Array | undefined {
  if (effect.capability !== 'fs-write' || !('after' in effect.change)) return undefined;
  const { after } = effect.change;
  return textOf(after) === undefined ? undefined : after;
}

function planHeadline(effect: ConsentEffect, covers: readonly CoveredStep[]): string {
  const steps = `${covers.length} steps`;
  if (effect.capability === 'exec') return `${steps}: may these programs run?`;
  if (effect.capability === 'http') return `${steps}: may these requests be sent?`;
  if (effect.capability === 'call') return `${steps}: may this server be called?`;
  return `${steps}: may these changes be made?`;
}

/** Each effect once, with its steps in order. */
function coveredLines(covers: readonly CoveredStep[]): string[] {
  const groups: { effect: ConsentEffect; steps: string[] }[] = [];
  for (const { step, effect } of covers) {
    const same = groups.find((group) => isDeepStrictEqual(group.effect, effect));
    if (same === undefined) groups.push({ effect, steps: [step] });
    else same.steps.push(step);
  }
  return groups.flatMap(({ effect, steps }, at) => [
    ...(at === 0 ? [] : ['']),
    line(steps.length === 1 ? 'step' : 'steps', quoted(steps)),
    ...effectLines(effect),
  ]);
}

function quoted(texts: readonly string[]): string {
  return texts.map((text) => showExact(text)).join(', ');
}

function effectLines(effect: ConsentEffect): string[] {
  if (effect.capability === 'fs-write') {
    const { change, runBy } = effect;
    const beware = `${runBy} runs this file without being asked to`;
    const mode = readOnlyOf(change);
    return [
      ...changeLines(change),
      ...(runBy === undefined ? [] : [line('beware', beware)]),
      ...(mode === undefined
        ? []
        : [line('beware', `this file is read-only: its mode is ${mode}`)]),
    ];
  }
  if (effect.capability === 'http') {
    return [
      line('method', showExact(effect.method, maxTextLength)),
      line('origin', showExact(effect.origin, maxTextLength)),
      line('address', showExact(effect.url, maxTextLength)),
      ...sentLines(effect.sends),
    ];
  }
  if (effect.capability === 'call') {
    const { tool, input, at, origins } = effect;
    return [
      line('tool', showExact(tool, maxTextLength)),
      line('input', showExact(JSON.stringify(input), maxInputLength)),
      ...(at === undefined ? [] : [line('runs', `at ${showExact(at, maxTextLength)}`)]),
      ...origins.map((origin) => line('may talk', `to ${showExact(origin, maxTextLength)}`)),
    ];
  }
  const { program, args, cwd, stdin, own, asks } = effect;
  const shown = args.slice(0, maxArguments);
  const left = args.length - shown.length;
  return [
    ...(asks === undefined ? [] : askedLines(asks)),
    line('program', showExact(program, maxTextLength)),
    ...(own === undefined ? [] : ownLines(own)),
    ...shown.map((arg) => line('argument', showExact(arg, maxTextLength))),
    ...(left > 0 ? [line('', `… ${left} more arguments are not shown`)] : []),
    ...(args.length === 0 ? [line('', 'no arguments')] : []),
    ...(stdin === undefined ? [] : [line('it reads', showExact(stdin, maxTextLength))]),
    line('in', showExact(cwd, maxTextLength)),
    ...reachLines(effect),
  ];
}

function askedLines(asks: GitQuestion): string[] {
  if (!('filter' in asks)) {
    const where = 'it lies outside of the workspace; git reads and writes it';
    return [line('folder', showExact(asks.repository, maxTextLength)), line('', where)];
  }
  return [
    line('filter', showExact(asks.filter, maxTextLength)),
    ...asks.commands.map((command) => line('runs', showExact(command, maxTextLength))),
    line('on', showExact(asks.path, maxTextLength)),
  ];
}

/** A file that is not the system's, and what its digest does not say. */
function ownLines({ from, file, sha256, standsIn, reads }: OwnProgramFacts): string[] {
  const where = from === 'workspace' ? 'of the workspace' : 'of yours';
  return [
    line('file', `${showExact(file, maxTextLength)} ${where}`),
    line('digest', sha256),
    line('', 'the digest is of this file; it does not cover what the file loads'),
    ...(standsIn ? [line('beware', 'the system has another program of this name')] : []),
    ...reads.map((path) => line('may read', showExact(path, maxTextLength))),
  ];
}

function sentLines(sends: SentContent | undefined): string[] {
  if (sends === undefined) return [];
  const { headerBytes, bodyBytes } = sends;
  return [
    line('it sends', `${headerBytes} bytes of headers, ${bodyBytes} bytes of body, not shown`),
  ];
}

const changeNames: Readonly<Record<ProposedChange['kind'], string>> = {
  create: 'new file',
  write: 'file',
  remove: 'remove',
  'create-dir': 'new folder',
  rename: 'rename',
};

function changeLines(change: ProposedChange): string[] {
  const path = line(changeNames[change.kind], showExact(change.path, maxTextLength));
  if (change.kind === 'rename') {
    return [path, line('to', showExact(change.target, maxTextLength))];
  }
  if (change.kind === 'create-dir') return [path];
  const before = textOf(change.before);
  const after = change.kind === 'remove' ? '' : textOf(change.after);
  if (before === undefined || after === undefined) {
    const sizes = [change.before?.byteLength ?? 0];
    if (change.kind !== 'remove') sizes.push(change.after.byteLength);
    return [path, line('content', `no text; ${sizes.join(' -> ')} bytes`)];
  }
  if (change.kind === 'remove' && change.before === undefined) return [path];
  return [path, ...diffLines(before, after)];
}

/**
 * Removed and added lines with three lines around them, each behind its sign and a bar that nothing
 * else in a question has.
 */
function diffLines(before: string, after: string): string[] {
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, maxEditLength });
  if (patch === undefined) {
    const counts = [before, after].map((text) => text.split('\n').length);
    return [line('content', `all of it is new; ${counts.join(' -> ')} lines, not shown`)];
  }
  const lines = patch.hunks.flatMap(({ oldStart, newStart, lines: inside }) => [
    line('lines', `from ${oldStart}, then from ${newStart}`),
    ...inside.map((text) =>
      text.startsWith('\\')
        ? line('', 'no newline at the end')
        : `        ${text.slice(0, 1)} | ${diffText(text.slice(1))}`,
    ),
  ]);
  if (lines.length === 0) return [line('content', 'stays as it is')];
  const left = lines.length - maxDiffLines;
  if (left <= 0) return lines;
  return [...lines.slice(0, maxDiffLines), line('', `… ${left} more lines are not shown`)];
}

/**
 * A line as in the file if all of it is visible, else in quotes with escapes. A tab at the start is
 * an arrow. A line whose start or end could be mistaken is also in quotes.
 */
function diffText(text: string): string {
  const [, tabs = '', rest = ''] = /^(\t*)(.*)$/s.exec(text) ?? [];
  if (!isSeen(rest) || /^["→]|\s$/.test(rest) || rest.length > maxTextLength)
    return showExact(text, maxTextLength);
  return '→   '.repeat(tabs.length) + rest;
}

/** Undefined for bytes that are not text. */
function textOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return '';
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function answerLines(request: ConsentRequest): string[] {
  const { covers, plugin, grant, project } = request;
  const gives = `${showExact(plugin)} gets ${grant}${widthOf(request.effect)}`;
  const all: Readonly<Record<string, string>> = {
    y: `once: ${covers === undefined ? 'this' : 'these'} alone, and exact repeats while this run lasts`,
    t: `this task, until it ends: ${request.task?.join('; ')}; anything else, and a file that others run, is asked about`,
    s: `this session: ${gives}, for a day at most`,
    p: `always in ${showExact(project)}: ${gives}`,
    e:
      covers === undefined
        ? `edit ${request.effect.capability === 'exec' ? 'the arguments' : 'the text in your editor'} first`
        : 'ask for each one in its turn; its arguments can be edited then',
    n: covers === undefined ? 'no' : 'no, to all of them',
  };
  return answersTo(request).map((answer) => `  ${answer}  ${all[answer]}`);
}

function widthOf(effect: ConsentEffect): string {
  if (effect.capability === 'exec') return effect.asks === undefined ? ', with any arguments' : '';
  if (effect.capability === 'http') return ', with any request';
  if (effect.capability === 'call') return ', with any input';
  return ', for any change there';
}

function line(label: string, text: string): string {
  return `  ${label.padEnd(indent - 2)}${text}`;
}
