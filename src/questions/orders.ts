import { KernelError } from '../contracts/error.ts';
import type { OrderFacts } from '../contracts/questions.ts';
import type { JsonObject } from '../contracts/tool.ts';
import { shellWord } from '../lib/text/escape.ts';
import { splitWords, stopWords } from '../lib/text/words.ts';
import { withoutUndefined } from '../lib/without-undefined.ts';
import { screenLines } from './drafts.ts';
import { meaningsOf } from './words/to-english.ts';

/** The call that an order names; `missing` are fields that its words do not say. */
export type Order = { tool: string; input: JsonObject; missing?: readonly string[] };

const start = String.raw`^\s*(?:please\s+)?(?:(?:can|could|would) you\s+(?:please\s+)?)?`;
const path = String.raw`["'\x60]?([\w./@-]+\.\w+|[\w.@-]+/[\w./@-]*)["'\x60]?`;
const form = (words: string) => new RegExp(`${start}${words}\\s*[.!]*$`, 'i');

/** What is to be done, and the call that does it; commits are told in the same words, with a capital. */
const orders: readonly (readonly [RegExp, (...named: string[]) => Order])[] = [
  [
    form(
      `(?:run|start) (?:(?:all|the|my|our) )*(?:unit )?tests?(?: suite)?(?: (?:in|of|for) ${path})?`,
    ),
    (file) => ({ tool: 'shell.run-tests', input: file === undefined ? {} : { path: file } }),
  ],
  [
    form(
      String.raw`(?:make (?:a )?commit|(?:commit|make (?:a )?commit of) (?:(?:all|my|the|these|this|our) )*(?:changes?|work|files?|it|this|everything|all))(?: (?:with (?:the )?message|as) ["'\x60](.+)["'\x60])?`,
    ),
    (message) =>
      message === undefined
        ? { tool: 'git.commit', input: {}, missing: ['message'] }
        : { tool: 'git.commit', input: { message } },
  ],
  [
    form('push(?: (?:my|the|these) (?:changes|commits|branch)| it| this)?'),
    () => ({ tool: 'git.push', input: {} }),
  ],
  [
    form(
      `(stage|unstage) (?:all|everything|(?:all )?(?:my|the) changes|(?:the )?(?:file |folder )?${path})`,
    ),
    (verb = '', file = '.') => ({ tool: `git.${verb.toLowerCase()}`, input: { paths: [file] } }),
  ],
  [
    form(String.raw`replace (?:all )?(\S+) (?:with|by) (\S+?)(?: in ${path})?`),
    (old = '', by = '', file) =>
      file === undefined
        ? { tool: 'file.edit', input: { old, new: by }, missing: ['path'] }
        : { tool: 'file.edit', input: { path: file, old, new: by } },
  ],
  [
    form(`(?:rename|move) (?:the )?(?:file |folder )?${path} (?:to|as|into) ${path}`),
    (from = '', to = '') => ({ tool: 'file.move', input: { from, to } }),
  ],
  [
    form(String.raw`(?:grep|rg|search for)(?: for)? (["'\x60]?)(\S+?)\1(?: in ${path})?`),
    (_, pattern = '', place) => ({
      tool: 'search.grep',
      input: { pattern, literal: true, limit: 100, ...withoutUndefined({ path: place }) },
    }),
  ],
  [
    form('(?:(?:file|folder|directory) )?tree'),
    () => ({ tool: 'file.tree', input: { depth: 3, lines: screenLines } }),
  ],
  [
    form(`(?:delete|remove) (?:the )?(?:(?:file |folder )?${path}|([\\w./@-]+) (?:folder|file))`),
    (file, named = '') => ({ tool: 'file.delete', input: { path: file ?? named } }),
  ],
];

/** A change that somebody is to make: which one, a model has to find out. */
const deed = new RegExp(
  String.raw`${start}(?:(?:rename|convert|translate|move|change|set|bump|raise|lower|increase|decrease|update|upgrade)\s+(?:the\s+)?\S+(?:\s+\S+){0,3}?\s+(?:to|into|as)\s+\S+(?:\s+(?:everywhere|throughout|(?:in|across|for|at|on)\s+\S.{0,40}))?\s*[.!]*$|(?:write|put|append|insert|add|copy)\s+\S.*\s(?:in|into|to)\s+(?:${path}|(?:my|our|the)\s+(?:\S+\s+)?(?:list|notes?|file|readme|changelog))\s*[.!]*$|(?:mark|tick off|check off)\s+(?:the|my|an?|all)\s+|(?:sort|format|reformat|deduplicate|split|merge|minify)\s+(?:the\s+)?(?:file\s+)?${path}|(?:add|change|convert|correct|create|delete|edit|fix|generate|implement|improve|install|modify|move|optimi[sz]e|refactor|remove|rename|repair|rewrite|simplify|solve|translate|update|upgrade|write)s?\s+(?:the|an?|my|our|this|that|these|all|some|it\b|${path})(?=\s|[.!]*$))`,
  'i',
);

/** What a question, a look or a fact begins with. Any other word in front of an article is to be done. */
const noDeed =
  'what|which|who|whose|whom|where|when|why|how|is|are|was|were|am|be|do|does|did|can|could|should|would|will|shall|has|have|had|may|might|must|if|whether|and|or|but|not|in|on|at|of|for|from|to|with|without|about|as|by|after|before|since|until|during|over|under|between|into|through|inside|outside|behind|near|like|than|all|both|half|only|just|also|even|still|there|here|this|that|it|show|list|find|locate|tell|give|explain|describe|summari[sz]e|compare|count|search|look|read|open|print|display|view|see|name|outline|check|review|analy[sz]e|define|identify|walk|talk|help|teach|let|take|point|get|remember|remind|note|forget|keep|actually|no|yes|please|thanks|thank|hello';
const articles =
  "the|an?|my|our|this|these|those|all|every|each|it|me|us|them|der|die|das|den|dem|eine?[nmr]?|alle|mein\\p{L}*|unser\\p{L}*|dies\\p{L}*|el|la|los|las|una?|todos|todas|mis?|este|esta|le|les|l['’]\\S+|une?|tous|toutes|mon|ma|mes|ce|cette|ces|os|uma?|minha?s?";
/** `send an email`, `lösche alle Logs` */
const ordered = new RegExp(
  `${start}(?!(?:${noDeed})\\b)(\\p{L}+)(?:\\s+(?:up|off|out|down))?\\s+(?:${articles})(?![\\p{L}\\p{N}])`,
  'iu',
);

const reads = new RegExp(`^(?:${noDeed})(?:e?s|ed)?$`, 'i');

/** Whether a text begins with a word for what is to be done, in any language of the tables. */
function isOrdered(text: string): boolean {
  const first = ordered.exec(text)?.[1];
  if (first === undefined) return handsOver.test(text) || ran.test(text);
  return meaningsOf(first).every((meaning) => meaning !== '' && !reads.test(meaning));
}

/** Words that also ask: `remind me to call`, `open an issue`, `give Ana a desk`; `turn it on for me`. */
const handsOver = new RegExp(
  `${start}(?:(?:remind (?:me|us) (?:to|of|about|on|at|in)|open an?|give (?!me\\b|us\\b|an?\\b)\\S+ (?:an?|the|my))\\b|(?!(?:${noDeed})\\b)\\p{L}+ (?:up|off|out|down|on|${articles}) [^?]*\\bfor (?:me|us)\\s*[.!]*$)`,
  'iu',
);

const takenBack = form(
  '(?:undo|revert|take back)(?: (?:it|that|this|everything|(?:my|the|your) (?:last )?(?:changes?|edits?|run)))?',
);

/**
 * The call that a person orders, in English words or as a command line.
 *
 * @param english the same words in English
 * @param facts absent where nobody typed them at a prompt, and nothing is done
 * @returns undefined where they are no order, or a model has to read them
 * @throws {KernelError} `not-found`, with the nearest command, where no model is in use
 */
export function readOrder(
  text: string,
  english: string,
  { facts, isModel }: { facts: OrderFacts | undefined; isModel: boolean },
): Order | undefined {
  if (text.includes('\n') || text.trimEnd().endsWith('?')) return undefined;
  const order = spoken(english.replace(/\?$/, '')) ?? typedCommand(text, facts, isModel);
  if (order !== undefined && facts !== undefined && order.missing === undefined) return order;
  if (isModel) return undefined;
  if (takenBack.test(english)) {
    throw new KernelError('not-found', 'a question takes nothing back', {
      hint: 'Take back what the last run changed with: cuervo undo; see runs with: cuervo runs',
    });
  }
  if (order !== undefined) throw needsModel(`Do it yourself with: ${commandOf(order)}`);
  // Titles of reports and of commits begin so, too.
  const isAsked = facts !== undefined || /^\s*\p{Ll}/u.test(text);
  if ((isAsked && deed.test(english)) || (facts !== undefined && isOrdered(text))) {
    const about = text.replace(new RegExp(`${start}\\S+\\s+`, 'i'), '').trim();
    const found =
      about === '' ? '' : `; find what it is about with: cuervo ask --as how ${shellWord(about)}`;
    throw needsModel(`Choose a model with: cuervo model use NAME${found}`);
  }
  return undefined;
}

function spoken(text: string): Order | undefined {
  for (const [words, call] of orders) {
    const found = words.exec(text);
    if (found !== null) return call(...found.slice(1));
  }
  return undefined;
}

const ran = new RegExp(
  `${start}(?:run|execute)\\s+(?:the\\s+(?:command|script|task)\\s+)?(.+)$`,
  'is',
);
/** `lint it`, `build the project` */
const ofTask =
  /^(?:the\s+)?([\w:.-]+)(?:\s+(?:it|this|(?:the|this|my|our)\s+(?:code|project|package|repo)|script|task))?$/i;

/** What a project has a task for, or has not. */
const toDo =
  /^(?:build|compile|lint|format|deploy|start|serve|install|publish|release)\s+(?:it|this|(?:the|this|my|our)\s+(?:code|project|package|app|server|repo))$/i;

/** `run git status`, `npm test`, `lint it`: a command line, or a task of the project. */
function typedCommand(
  text: string,
  facts: OrderFacts | undefined,
  isModel: boolean,
): Order | undefined {
  if (facts === undefined) return undefined;
  const said = ran.exec(text)?.[1];
  const polite = new RegExp(start, 'i').exec(text)?.[0] ?? '';
  const line = unquoted((said ?? text.slice(polite.length)).trim().replace(/(?<=\w)[.!]+$/, ''));
  const task = ofTask.exec(line)?.[1];
  const command = facts.tasks.get(task?.toLowerCase() ?? '');
  if (command !== undefined) return { tool: 'shell.run', input: { command } };
  if (isCommandLine(line, said !== undefined, facts))
    return { tool: 'shell.run', input: { command: line } };
  const isTask = said === undefined ? toDo.test(line) : task === line;
  if (isModel || !isTask || /^tests?$/.test(line)) return undefined;
  const names = [...facts.tasks.keys()].slice(0, 12).join(', ');
  const name = said === undefined ? (task ?? line) : line;
  throw new KernelError('not-found', `no task or program is called "${name}" here`, {
    hint: `${names === '' ? 'No task of this project is known.' : `Tasks: ${names}.`} Run a program with: cuervo run shell.run command=${shellWord(name)}`,
  });
}

function unquoted(line: string): string {
  const [, , inside] = /^(["'`])(.+)\1$/.exec(line) ?? [];
  return inside === undefined || /["'`]/.test(inside) ? line : inside;
}

/** Programs are called as words of English are: `test coverage`, `file sizes`, `make it faster`. */
function isCommandLine(line: string, isRun: boolean, facts: OrderFacts): boolean {
  // `which files > 10 KB`: a number is what is compared with, and no file.
  if (!isRun && /[<>]=?\s*\d/.test(line)) return false;
  const [program = '', ...args] = splitWords(line);
  const isFile = /^\.\.?\//.test(program) && facts.hasPath(program);
  if (!isFile && !facts.isProgram(program)) return false;
  if (args.some((arg) => stopWords.has(arg) && !line.includes(`"`))) return false;
  if (isFile || isRun) return !facts.tasks.has(program) || args.length === 0;
  const [first = ''] = args;
  return (
    args.some((arg) => /^-\w|^--\w|^[|<>&]/.test(arg) || facts.hasPath(arg)) ||
    facts.tasks.get(args.at(-1) ?? '')?.startsWith(`${program} `) === true ||
    facts.isRunner(program) ||
    facts.isSubcommand(program, first)
  );
}

function needsModel(hint: string): KernelError {
  const reason = 'doing this needs a model, and none is in use';
  return new KernelError('not-found', reason, { hint });
}

/** What a person types to do it; `…` stands for what the order does not say. */
export function commandOf({ tool, input, missing = [] }: Order): string {
  const words = Object.entries(input).map(([field, value]) =>
    shellWord(`${field}=${typeof value === 'string' ? value : JSON.stringify(value)}`),
  );
  return ['cuervo run', tool, ...missing.map((field) => `${field}=…`), ...words].join(' ');
}
