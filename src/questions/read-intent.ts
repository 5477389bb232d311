import { KernelError } from '../contracts/error.ts';
import { maxQuestionLength, questionTooLong } from '../contracts/events.ts';
import type { AskIntent, CallIntent, Intent, NoteIntent, Reading } from '../contracts/intent.ts';
import type { AskedWorkspace } from '../contracts/questions.ts';
import type { JsonObject, Tool } from '../contracts/tool.ts';
import {
  addField,
  FieldError,
  type Fields,
  fieldWord,
  parseExactJson,
} from '../lib/text/parse-json.ts';
import { splitWords, urlIn } from '../lib/text/words.ts';
import { askedText, nowhere } from './asked-text.ts';
import { classifyQuestion } from './classify-question.ts';
import { mayTell, readFact } from './facts/read-fact.ts';
import { listing } from './kinds/listing.ts';
import { allKinds, kindOf, kinds } from './kinds.ts';
import { readKinds } from './read-rows.ts';
import { inUsualCase } from './usual-case.ts';
import { asList } from './words/as-list.ts';
import { isCodeExtension } from './words/file-kinds.ts';
import { askedFolder, fileIn, folderIn } from './words/folder-words.ts';
import { plainQuestion } from './words/plain-question.ts';
import { readMentions } from './words/read-mentions.ts';
import { toEnglish } from './words/to-english.ts';

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
  // A dot is the folder, and a slash is, too.
  if (question === '' || (!/[\p{L}\p{N}]/u.test(question) && !/^(?:\.\/?|\/)$/.test(question))) {
    const fault = question === '' ? 'is empty' : `has no words: ${question.slice(0, 40)}`;
    throw new KernelError('invalid-argument', `the question ${fault}`, {
      hint: 'Ask something, e.g. cuervo ask "where is the configuration read?"',
    });
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
  const plain = plainQuestion(inUsualCase(asked));
  const english = toEnglish(plain);
  const { unread } = english;
  const { text, read, file } =
    unread.length > 0
      ? { text: english.text, read: nothing, file: undefined }
      : readBest(english.text, workspace);
  const { folder = askedFolder(text, workspace) ?? file } = placeIn(text, workspace);
  const isTodo = classifyQuestion(text) === 'todo';
  const { particular, guesses } = read;
  const last = readFallback(text, workspace);
  // A guess is none beside what is plain.
  const guessed = particular.length > 0 || isTodo ? [] : guesses;
  const [first, ...others] = [...particular, ...guessed, last];
  const held = folder ?? (first && kindOf(first).holder?.(first, workspace));
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

/**
 * The words as they stand, without the file that they are to be true of, or as the usual words for
 * a list: the first of these that is a kind of question.
 */
function readBest(
  text: string,
  workspace: AskedWorkspace,
): { text: string; read: Particular; file?: string } {
  const read = readWords(text, workspace);
  if (isRead(read)) return { text, read };
  const { file, rest } = fileIn(text);
  if (file !== undefined) {
    const plain = readWords(rest, workspace);
    const ofFile = isRead(plain) ? plain : readWords(asList(rest), workspace);
    // The shapes of collections are those of code: the warnings in a log are none.
    const isShape = ofFile.particular[0]?.kind === 'collection';
    if (isShape && !isCodeExtension(file.replace(/^.*\./, ''))) return { text, read, file };
    return { text, read: isRead(ofFile) ? ofFile : read, file };
  }
  const list = asList(text);
  const ofList = list === text ? nothing : readWords(list, workspace);
  const isList = isRead(ofList) || listing.fallback?.(list, 'list', workspace) !== undefined;
  return isList ? { text: list, read: ofList } : { text, read };
}

function isRead({ particular, guesses }: Particular): boolean {
  return particular.length + guesses.length > 0;
}

/** A phrase that is a kind of question once it is one says more than that it may be a name. */
function readWords(text: string, workspace: AskedWorkspace): Particular {
  const own = readParticular(text, workspace);
  if (own !== undefined && own.particular.length > 0) return own;
  const phrase = readPhrase(text, workspace);
  return phrase.particular.length > 0 ? phrase : (own ?? phrase);
}

type Particular = { particular: Reading[]; guesses: readonly Reading[] };

const nothing: Particular = { particular: [], guesses: [] };

/** Longer texts are told to a reader, and have no form. */
const longestForm = 400;

/** What forms and rows of words make of a text; undefined where none fits. */
function readParticular(text: string, workspace: AskedWorkspace): Particular | undefined {
  const { rest } = placeIn(text, workspace);
  const asked = askedText(text, workspace, rest);
  const isLong = text.length - (urlIn(text)?.length ?? 0) > longestForm;
  const { sure, guessed } = readKinds(rest, workspace.names);
  const particular = [
    ...allKinds.map((kind) => (isLong ? undefined : kind.form?.(asked))),
    ...sure,
    ...guessed.filter((each) => kindOf(each).trustsGuess),
    ...allKinds.map((kind) => (isLong ? undefined : kind.lateForm?.(asked))),
  ].filter((each) => each !== undefined);
  return particular.length + guessed.length > 0 ? { particular, guesses: guessed } : undefined;
}

/** What a question wants by its words alone: the reading that every question has. */
function readFallback(text: string, workspace: AskedWorkspace): Reading {
  const asks = classifyQuestion(text);
  for (const kind of allKinds) {
    const reading = kind.fallback?.(text, asks, workspace);
    if (reading !== undefined) return reading;
  }
  return { kind: 'how' };
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
  if (sure.length > 0 || guessed.some((each) => !kindOf(each).takesAnyWord)) return said;
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
function isPlaced(rest: string, workspace: AskedWorkspace): boolean {
  const { sure } = readKinds(rest, workspace.names);
  return sure.length > 0 || kinds.history.form?.(askedText(rest, workspace)) !== undefined;
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

/** `run search.todos`, `search.grep {"pattern":"x"}`, `search.grep pattern="a b" limit=3`. */
export function toolCall(question: string, tools: readonly Tool[]): CallIntent | undefined {
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
