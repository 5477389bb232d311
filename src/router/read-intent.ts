import { KernelError } from '../contracts/error.ts';
import { maxQuestionLength, questionTooLong } from '../contracts/events.ts';
import type { AskIntent, CallIntent, Intent, NoteIntent, Reading } from '../contracts/intent.ts';
import type { JsonObject, Tool } from '../contracts/tool.ts';
import { parseExactJson } from '../lib/text/parse-json.ts';
import { splitWords } from '../lib/text/split-words.ts';
import { addField, FieldError, type Fields, fieldWord } from '../lib/text/typed-field.ts';
import { classifyQuestion } from './classify-question.ts';
import { readStructure } from './code-question.ts';
import { readEveryday, readGuide } from './everyday-question.ts';
import { mayTell, readFact } from './facts/read-fact.ts';
import { askedFolder, type Folders, folderIn, listedFolder } from './folder-words.ts';
import { readHistory } from './history-question.ts';
import { readKinds } from './kind-rows.ts';
import { plainQuestion } from './plain-question.ts';
import { readKind } from './read-kind.ts';
import { readMentions } from './read-mentions.ts';
import { readSize } from './size-question.ts';
import { toEnglish } from './to-english.ts';
import { readWebPage } from './web-page.ts';

/** What has to be known of a workspace to read a question about it. */
export type AskedWorkspace = {
  /** absolute */
  path: string;
  /** what people call it, and its programs */
  names?: readonly string[];
} & Folders;

const nowhere: AskedWorkspace = {
  path: '/',
  hasFolder: () => false,
  folderCalled: () => undefined,
};

/**
 * Reads a person's words once: a call of a tool, something to keep in mind, or a question.
 *
 * @param workspace a path below it that was pasted whole is read as one inside of it
 * @throws {KernelError} `invalid-argument` for an empty or endless question
 */
export function readIntent(
  text: string,
  tools: readonly Tool[],
  workspace: AskedWorkspace = nowhere,
): Intent {
  const question = text.trim();
  if (question === '') {
    throw new KernelError('invalid-argument', 'the question is empty', {
      hint: 'Ask something, e.g. cuervo ask "where is the configuration read?"',
    });
  }
  // A dot is the folder, and a slash is, too.
  if (!/[\p{L}\p{N}]/u.test(question) && !/^\.?\/?$/.test(question)) {
    throw new KernelError(
      'invalid-argument',
      `the question has no words: ${question.slice(0, 40)}`,
      {
        hint: 'Ask something, e.g. cuervo ask "where is the configuration read?"',
      },
    );
  }
  if (question.length > maxQuestionLength) {
    throw questionTooLong(`${question.length} characters`);
  }
  return (
    toolCall(question, tools) ?? note(question, workspace) ?? readQuestion(question, workspace)
  );
}

/** The most particular reading first; the kind of the question is the last, and always there. */
function readQuestion(question: string, workspace: AskedWorkspace): AskIntent {
  // Tools take paths inside of the workspace; people paste whole ones, of an error for instance.
  const asked = workspace.path === '/' ? question : question.replaceAll(`${workspace.path}/`, '');
  const plain = plainQuestion(asked);
  const { text, unread } = toEnglish(plain);
  const { folder = askedFolder(text, workspace) } = placeIn(text, workspace);
  const isTodo = classifyQuestion(text) === 'todo';
  const { particular, guesses } = unread.length > 0 ? nothing : readWords(text, workspace);
  const last = fileOf(readKind(text), workspace);
  // A guess does not count beside a plain reading.
  const guessed = particular.length > 0 || isTodo ? [] : guesses;
  const [first, ...others] = [...particular, ...guessed, last];
  const held = folder ?? holderOf(first, workspace);
  // Who imports a folder stands outside of it.
  const isOutside =
    (first?.kind === 'references' && first.name === folder) ||
    // Who does something in tests reads the documents for it.
    (first?.kind === 'guide' && /^(?:tests?|specs?)$/.test(folder ?? ''));
  const isBound = held !== undefined && !isOutside;
  return {
    kind: 'ask',
    question,
    ...mayTell(question),
    mentions: {
      ...readMentions(text, classifyQuestion(text) === 'show'),
      ...(isBound ? { folder: held } : {}),
      ...(text === plain ? {} : { own: plain }),
      ...(unread.length === 0 ? {} : { unread }),
    },
    readings: [first as Reading, ...others],
  };
}

/** `which transports are there?`: the folder that holds them and nothing else, high up in the tree. */
function holderOf(reading: Reading | undefined, { folderCalled }: AskedWorkspace) {
  if (reading?.kind !== 'members') return undefined;
  const folder = folderCalled(reading.of) ?? folderCalled(reading.of.replace(/s$/, ''));
  const isHigh = folder !== undefined && folder.split('/').length <= highest;
  return isHigh && !/^(?:docs?|tests?|examples?)\//i.test(folder) ? folder : undefined;
}

const highest = 2;

/** A phrase that is a kind of question once it is one says more than that it may be a name. */
function readWords(text: string, workspace: AskedWorkspace): Particular {
  const own = readParticular(text, workspace);
  if (own !== undefined && own.particular.length > 0) return own;
  const phrase = readPhrase(text, workspace);
  return phrase.particular.length > 0 ? phrase : (own ?? phrase);
}

type Particular = { particular: Reading[]; guesses: readonly Reading[] };

const nothing: Particular = { particular: [], guesses: [] };

/** What rules make of a text; undefined where none fits. */
function readParticular(text: string, workspace: AskedWorkspace): Particular | undefined {
  const url = readWebPage(text);
  const told = askedFolder(text, workspace);
  const { rest } = placeIn(text, workspace);
  const listed = listedFolder(text, workspace.hasFolder);
  const kinds = readKinds(rest, workspace.names);
  const plain: readonly (Reading | undefined)[] = [
    url === undefined ? undefined : { kind: 'web', url },
    told === undefined ? undefined : { kind: 'about' },
    readHistory(rest),
    readEveryday(text),
    readStructure(text),
    readSize(text),
    ...kinds.sure,
    listed === undefined ? undefined : { kind: 'listing', pattern: '*', path: listed, tree: true },
    ...kinds.guessed.filter(({ kind }) => kind === 'manifest'),
    readGuide(text),
  ];
  const particular = plain.filter((each) => each !== undefined);
  const isFitting = particular.length + kinds.guessed.length > 0;
  return isFitting ? { particular, guesses: kinds.guessed } : undefined;
}

/**
 * The folder that a question is about. A word that no kind of question has a use for may be the
 * name of one: `which options does adapter-node take?`
 *
 * @returns the question with `here` in its place as `rest`
 */
function placeIn(text: string, workspace: AskedWorkspace): { folder?: string; rest: string } {
  const said = folderIn(text, workspace);
  if (said.folder !== undefined || text.length > longestPlaced) return said;
  const { sure, guessed } = readKinds(text, workspace.names);
  if (sure.length > 0 || guessed.some(({ kind }) => !ofTopics.has(kind))) return said;
  for (const [, word = '', noun] of text.matchAll(subject)) {
    const rest = text.replace(word, 'here');
    // `the web role` lies among the roles.
    const among = `${noun?.toLowerCase()}s/${word}`;
    const folder = !isPlaced(rest, workspace)
      ? undefined
      : noun !== undefined && workspace.hasFolder(among)
        ? among
        : workspace.folderCalled(word);
    if (folder !== undefined) return { folder, rest };
  }
  return said;
}

const longestPlaced = 100;
/** A word where what a question is about stands. */
const subject =
  /\b(?:of|in|by|for|from|inside|below|under|does|do|did|is|was|has|can)\s+(?:the\s+|our\s+)?["'`]?([\w@][\w.@-]*[\w-])(?![\w/-]|\.\w)["'`]?(?:\s+(role|package|plugin|app|crate|module|example)\b)?/gi;
/** Guesses that take any words at all. */
const ofTopics: ReadonlySet<Reading['kind']> = new Set(['history', 'members']);

function isPlaced(rest: string, { names }: AskedWorkspace): boolean {
  return readKinds(rest, names).sure.length > 0 || readHistory(rest) !== undefined;
}

/** It begins as a question or a request does, and needs no word in front. */
const asksAlready =
  /^\s*(?:what|which|who|whom|whose|where|when|why|how|is|are|was|were|do|does|did|can|could|should|would|will|has|have|please|show|list|find|tell|give|explain|describe|compare|print|open|count|summari[sz]e)\b/i;
/** `run only one test`: how that is done. */
const isTask = /^\s*(?:run|build|compile|lint|install|deploy|publish|release|start)\s+\S/i;
const longestPhrase = 6;
/** Signs of code make a text more than a phrase. */
const plainPhrase = /^[\p{L}\p{N}\s.,'’_/-]+[?.!]*$/u;

/** `last commit`, `longest function in src`: what is wanted, and no word that asks for it. */
function readPhrase(text: string, workspace: AskedWorkspace): Particular {
  const isShort = text.split(/\s+/).length <= longestPhrase;
  const isPhrase = isShort && plainPhrase.test(text) && !asksAlready.test(text);
  const asked = !isPhrase ? [] : isTask.test(text) ? ['how do I'] : ['show the', 'what is the'];
  for (const words of asked) {
    const found = readParticular(`${words} ${text}`, workspace);
    if (found === undefined) continue;
    if (found.particular.length > 0) return found;
    const guesses = found.guesses.filter(({ kind }) => kind === 'value' || kind === 'history');
    if (guesses.length > 0) return { particular: [], guesses };
  }
  return nothing;
}

/** `what is in bin/tool?` names a file without an ending, where there is no such folder. */
function fileOf(reading: Reading, { path: root, hasFolder }: AskedWorkspace): Reading {
  if (reading.kind !== 'listing' || root === '/') return reading;
  const { path = '', pattern } = reading;
  const isFile = pattern === '*' && path.includes('/') && !hasFolder(path);
  return isFile ? { kind: 'file', path, lines: {} } : reading;
}

/** `run search.todos`, `search.grep {"pattern":"x"}`, `search.grep pattern="a b" limit=3`. */
function toolCall(question: string, tools: readonly Tool[]): CallIntent | undefined {
  const match = /^(?:run\s+)?([a-z][a-z0-9-]*\.[a-z][a-z0-9-]*)(?:\s*(\{.*\})|\s+(.*))?$/s.exec(
    question,
  );
  const [, name, json = '{}', words = ''] = match ?? [];
  const tool = tools.find((each) => each.name === name);
  const pairs = splitWords(words).map((word) => fieldWord.exec(word));
  if (tool === undefined || pairs.includes(null)) return undefined;
  try {
    const input = parseExactJson(json) as JsonObject;
    const fields: Fields = new Map(Object.entries(input));
    for (const [, key = '', text = ''] of pairs as RegExpExecArray[])
      addField(fields, key, text, tool.inputSchema);
    const mentions = readMentions(question, false);
    return {
      kind: 'call',
      tool: tool.name,
      input: Object.fromEntries(fields) as JsonObject,
      mentions,
    };
  } catch (thrown) {
    const isField = thrown instanceof FieldError;
    const reason = isField ? thrown.message : `the input of ${tool.name} is not JSON`;
    throw new KernelError('invalid-argument', reason, {
      cause: thrown,
      hint: `See what it takes with: cuervo tools ${tool.name}`,
    });
  }
}

/** `remember that releases happen on Thursdays` */
function note(question: string, workspace: AskedWorkspace): NoteIntent | undefined {
  const read = readFact(question);
  return read === undefined ? undefined : { ...read, otherwise: readQuestion(question, workspace) };
}
