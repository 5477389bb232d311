import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import { taskTool } from '../../contracts/kernel-tools.ts';
import { everyProject } from '../../contracts/memory.ts';
import { sessionEntries } from '../../kernel/ask/session-entries.ts';
import { findSkill, listSkills, skillQuestion } from '../../kernel/skills/skill-commands.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import { asksForHelp, isSmallTalk } from '../asks-for-help.ts';
import { spentText } from '../call-lines.ts';
import { doWithoutModel } from '../do.ts';
import { init } from '../init.ts';
import { printHit } from '../memory-search.ts';
import { note, oneLine, print } from '../output.ts';
import { planText } from '../plan.ts';
import { sessionMarkdown } from '../session-text.ts';
import { showDiffs } from '../show-diffs.ts';
import { printTool, printTools, toolsFor } from '../tools.ts';
import { undoRuns } from '../undo.ts';
import { runTyped } from './attach.ts';
import { modeTexts, nextMode } from './modes.ts';
import type { Chat } from './open-chat.ts';

type ChatCommand = {
  name: string;
  /** what may stand behind it */
  takes: string;
  about: string;
  /** @returns `leave` ends the chat */
  run(chat: Chat, words: string, signal: AbortSignal): Promise<'leave' | undefined>;
};

/** Hits of memory that can be looked over. */
const maxHits = 8;

const commands: readonly ChatCommand[] = [
  command('help', '', 'what can be typed here', async () => print(helpText())),
  command(
    'plan',
    '[question]',
    'what a question would do without a model; runs nothing',
    async (chat, words) => {
      const question = words === '' ? chat.lastQuestion : words;
      if (question === undefined) throw missing('/plan needs a question', '/plan where is …?');
      print(planText(await chat.kernel.plan(question)));
    },
  ),
  command(
    'undo',
    '[run]',
    'takes back what the last answer changed, after a question',
    async (chat, words, signal) => {
      const run = words === '' ? await lastChanging(chat) : words;
      await chat.lend(() => undoRuns(chat.kernel, run, { signal }));
    },
  ),
  command('diff', '[run]', 'what this chat changed', async (chat, words) => {
    const runs = words === '' ? await changingRuns(chat) : [words];
    for (const run of runs) await showDiffs(await chat.kernel.undo.diff(run), 'stdout');
    if (runs.length === 0) note('this chat changed no file');
  }),
  command('model', '[name]', 'which model answers, or another one; none for none', useModel),
  command('tools', '[name or goal]', 'the tools that there are', async (chat, words) => {
    const tools = await chat.kernel.tools();
    const named = tools.filter(({ name, plugin }) => [name, plugin].includes(words));
    const [only] = named;
    if (words === '') printTools(tools);
    else if (named.length === 1 && only !== undefined) printTool(only);
    else printTools(named.length > 0 ? named : await toolsFor(chat.kernel, words));
  }),
  command('open', '', 'what the sub-tasks of the last answer called and said', openTasks),
  command('memory', 'words', 'what is remembered about something', searchMemory),
  command('cost', '', 'what this chat took, and this day', async (chat) => {
    const { questions, ...total } = chat.spending.total();
    const day = new Date().toISOString().slice(0, 10);
    const today = (await chat.kernel.store()).spentOn(day);
    if (questions === 0) print('no model was asked in this chat');
    else print(`${questions} ${questions === 1 ? 'question' : 'questions'}: ${spentText(total)}`);
    if (questions > 0 && total.usd === undefined) print('the price of the model is unknown');
    const { dayUsd } = chat.kernel.config.budget;
    const limit =
      dayUsd === undefined || !Number.isFinite(dayUsd)
        ? ''
        : ` of $${dayUsd.toFixed(2)} (budget.day-usd)`;
    print(`this day: $${today.toFixed(today > 0 && today < 0.01 ? 4 : 2)}${limit}`);
  }),
  command('compact', '', 'makes what the model is sent of this conversation shorter', (chat) =>
    chat.compact(),
  ),
  command('export', '[file]', 'all of this conversation as Markdown', async (chat, words) => {
    const store = await chat.kernel.store();
    const session = chat.session === undefined ? undefined : store.session(chat.session);
    if (session === undefined) throw missing('nothing was said yet', 'Ask something first.');
    const text = sessionMarkdown(session, sessionEntries(store, session.id));
    if (words === '') print(text.trimEnd());
    else writeNew(words, text);
  }),
  command('sessions', '', 'conversations of this folder', async (chat) => {
    for (const { id, title } of await sessionsOf(chat))
      print(`${id === chat.session ? '*' : ' '} ${id}  ${oneLine(title)}`);
  }),
  command('resume', '[id]', 'goes on with another conversation, or the newest', resumeSession),
  command('status', '', 'model, mode, session, and what was taken', async (chat) => {
    const name = await chat.kernel.modelName();
    print(`model    ${name === 'none' ? 'none: answers are passages' : oneLine(name)}`);
    print(`mode     ${chat.mode}: ${modeTexts[chat.mode]} (Shift+Tab changes it)`);
    print(`folder   ${oneLine(chat.kernel.config.workspace)}`);
    print(`session  ${chat.session ?? 'begins with the first question'}`);
    if (chat.contextTokens !== undefined) print(`context  ${chat.contextTokens} tokens`);
    await commandNamed('cost').run(chat, '', new AbortController().signal);
  }),
  command(
    'mode',
    '[ask, edits or plan]',
    'what is done without a question',
    async (chat, words) => {
      const found = (['ask', 'edits', 'plan'] as const).find((each) => each === words);
      if (words !== '' && found === undefined)
        throw missing(`there is no mode "${words}"`, 'Use ask, edits or plan.');
      chat.mode = found ?? nextMode(chat.mode);
      note(`${chat.mode}: ${modeTexts[chat.mode]}`);
    },
  ),
  command('init', '', 'finds a model, and chooses index and memory', async (chat) => {
    const model = await chat.lend(() => init({ workspace: chat.kernel.config.workspace }));
    if (model !== undefined) await chat.useModel(model);
  }),
  command('new', '', 'forgets this conversation; the next question begins one', async (chat) => {
    chat.session = undefined;
    note('the next question begins a new session');
  }),
  { ...command('quit', '', 'leaves; Ctrl+D does, too', async () => {}), run: async () => 'leave' },
];

const aliases: Readonly<Record<string, string>> = {
  clear: 'new',
  reset: 'new',
  exit: 'quit',
  '?': 'help',
  h: 'help',
  q: 'quit',
};

function command(
  name: string,
  takes: string,
  about: string,
  run: (chat: Chat, words: string, signal: AbortSignal) => Promise<void>,
): ChatCommand {
  return {
    ...{ name, takes, about },
    run: async (chat, words, signal) => {
      await run(chat, words, signal);
      return undefined;
    },
  };
}

/**
 * Runs a typed slash command.
 *
 * @returns `question` for a text that is no command, such as a path
 * @throws {KernelError} the error of the command
 */
export async function runChatCommand(
  chat: Chat,
  line: string,
  signal: AbortSignal,
): Promise<'leave' | 'question' | undefined> {
  const typed = /^!\s*(\S[\s\S]*)$/.exec(line)?.[1];
  if (typed !== undefined) {
    chat.attached.push(await runTyped(chat.kernel, typed, signal));
    return undefined;
  }
  const isOfModel = isSmallTalk(line) && (await chat.kernel.modelName()) !== 'none';
  const [, word, rest = ''] =
    asksForHelp(line) && !isOfModel
      ? ['', 'help']
      : (/^\/([a-z?][\w-]*|\?)(?:\s+([\s\S]*))?$/i.exec(line) ?? []);
  if (word === undefined) return 'question';
  if (await followSkill(chat, word, rest.trim())) return undefined;
  return await commandNamed(word.toLowerCase()).run(chat, rest.trim(), signal);
}

/** `/review src` follows the skill of that name. @returns false where there is none */
async function followSkill(chat: Chat, name: string, words: string): Promise<boolean> {
  if (commands.some((each) => each.name === name) || Object.hasOwn(aliases, name)) return false;
  const found = listSkills(chat.kernel.config).find((each) => each.name === name);
  if (found === undefined) return false;
  if ((await chat.kernel.modelName()) === 'none') {
    const { skill } = findSkill(name, chat.kernel.config);
    const { workspace } = chat.kernel.config;
    await chat.lend(() => doWithoutModel(skill, words, { workspace }));
    return true;
  }
  await chat.ask(skillQuestion({ name }, words), name);
  return true;
}

/**
 * The beginning of a name is enough where it is the only one.
 *
 * @throws {KernelError} `invalid-argument`
 */
function commandNamed(word: string): ChatCommand {
  const name = aliases[word] ?? word;
  const begun = commands.filter((each) => each.name.startsWith(name));
  const found = begun.find((each) => each.name === name) ?? begun[0];
  if (found !== undefined && (found.name === name || begun.length === 1)) return found;
  const which = begun.map((each) => `/${each.name}`).join(' or ');
  const names = [...commands.map((each) => each.name), ...Object.keys(aliases)];
  throw found === undefined
    ? missing(
        `there is no command /${word}${didYouMean(word, names)}`,
        'See all of them with: /help',
      )
    : missing(`/${word} may be ${which}`, 'Type more of it, or press Tab.');
}

/** Completions of a line that begins with a slash. */
export function completeCommand(line: string): string[] {
  if (!/^\/[a-z]*$/.test(line)) return [];
  return commands.map(({ name }) => `/${name} `).filter((name) => name.startsWith(line));
}

function helpText(): string {
  const rows = commands.map(({ name, takes, about }) => [`/${name} ${takes}`.trim(), about]);
  const width = Math.max(...rows.map(([left = '']) => left.length));
  return [
    ...rows.map(([left = '', about]) => `${left.padEnd(width)}  ${about}`),
    '',
    'The name of a skill, as /review or /commit, follows it; see cuervo skill list.',
    '@path or @path:10-20 attaches a file; Tab completes it. ! COMMAND runs a command.',
    'Shift+Tab changes the mode: ask, edits, plan.',
    '# TEXT is kept in mind. Enter sends. Alt+Enter, or a backslash before Enter, begins a new line.',
    'Ctrl+C ends the answer; twice at an empty line, it leaves. Up and Down bring',
    'back what was typed, Ctrl+R what has the words of the line in it.',
  ].join('\n');
}

async function useModel(chat: Chat, words: string): Promise<void> {
  if (words !== '') {
    await chat.useModel(words);
    note(`${oneLine(words)} answers from now on`);
    return;
  }
  const name = await chat.kernel.modelName();
  print(name === 'none' ? 'no model is in use: answers are passages' : `${name} answers`);
  for (const { model } of await chat.kernel.models.list()) {
    if (model !== name) print(`  /model ${oneLine(model)}`);
  }
}

/** Each sub-task is one line of an answer; this is what stands behind it. */
async function openTasks({ kernel, runs }: Chat): Promise<void> {
  const run = runs.at(-1);
  const events = run === undefined ? [] : await kernel.journal.events(run);
  const steps = events.flatMap((event) =>
    event.kind === 'step' && event.body !== undefined
      ? [{ id: event.step ?? '', ...event.body }]
      : [],
  );
  const tasks = steps.filter(({ tool }) => tool === taskTool.name);
  if (tasks.length === 0) throw missing('the last answer began no sub-task', 'See /help');
  for (const { id, input, status, content = '' } of tasks) {
    print(`${id}  ${oneLine(String(input.goal))}`);
    for (const step of steps.filter((each) => each.id.startsWith(`${id}.`)))
      print(`  ${step.id}  ${step.tool} → ${oneLine(step.summary)}`);
    for (const line of (status === 'ok' ? content : status).split('\n'))
      print(`  ${oneLine(line)}`);
  }
}

async function searchMemory(chat: Chat, text: string, signal: AbortSignal): Promise<void> {
  if (text === '') throw missing('/memory needs words', '/memory release day');
  const { kernel } = chat;
  const memory = await kernel.memory();
  const hits = await memory.search(
    {
      limit: maxHits,
      projects: [kernel.config.workspace, everyProject],
      ...(await kernel.memoryCommands.questionOf(text)),
    },
    { signal },
  );
  for (const hit of hits) printHit(hit, false);
  if (hits.length === 0) note(`nothing in memory matches "${oneLine(text)}"`);
}

/** Sessions that are listed. */
const maxSessions = 15;

async function sessionsOf({ kernel }: Chat) {
  return (await kernel.store()).sessions({ project: kernel.config.workspace, limit: maxSessions });
}

async function resumeSession(chat: Chat, id: string): Promise<void> {
  const all = await sessionsOf(chat);
  const [found, other] = all.filter((each) => each.id !== chat.session && each.id.startsWith(id));
  if (found === undefined || (id !== '' && other !== undefined))
    throw missing(
      found === undefined ? `no other session begins with "${id}"` : `"${id}" may be more than one`,
      'See them with: /sessions',
    );
  chat.session = found.id;
  note(`goes on with ${found.id}: ${oneLine(found.title)}`);
}

/** Runs of this chat that changed files, oldest first. */
async function changingRuns(chat: Chat): Promise<string[]> {
  const changed = new Set((await chat.kernel.undo.runs(1000)).map(({ run }) => run));
  return chat.runs.filter((run) => changed.has(run));
}

async function lastChanging(chat: Chat): Promise<string> {
  const standing = (await chat.kernel.undo.runs(1000)).filter(
    ({ undoneMs }) => undoneMs === undefined,
  );
  const last = chat.runs.findLast((run) => standing.some((each) => each.run === run));
  if (last !== undefined) return last;
  throw missing('this chat changed nothing that can be undone', 'Other runs: cuervo undo --list');
}

function writeNew(path: string, text: string): void {
  const file = resolve(path);
  if (existsSync(file))
    throw missing(`${path} is there already`, 'Name another file: /export FILE');
  writeFileSync(file, text, { mode: 0o600 });
  note(`written to ${oneLine(file)}`);
}

function missing(message: string, hint: string): KernelError {
  return new KernelError('invalid-argument', message, { hint });
}
