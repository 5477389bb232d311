import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import { errorBody, toKernelError } from '../kernel/run-events.ts';
import { shortenText, wrapText } from '../lib/text/columns.ts';
import { addModelFlags, type ModelFlags, modelOptions } from './ask.ts';
import { completePath } from './chat/attach.ts';
import { completeCommand, runChatCommand } from './chat/chat-commands.ts';
import { type Keyboard, openKeyboard } from './chat/keyboard.ts';
import { modeTexts, nextMode } from './chat/modes.ts';
import { type Chat, goOnWith, openChat } from './chat/open-chat.ts';
import { createMessageReader } from './chat/read-message.ts';
import { listenForInterrupt } from './interrupt.ts';
import { addCommonFlags, type CommonFlags, kernelOptions } from './kernel-options.ts';
import { oweWork } from './lost-output.ts';
import { afterCommand } from './open-kernel.ts';
import { fail, note, oneLine, tellError } from './output.ts';
import { terminalColumns } from './style.ts';

const examples = `
Examples:
  cuervo chat                           questions about the folder, one after the other
  cuervo chat -c                        goes on with the newest session of the folder
  cuervo chat -m ollama/qwen3:4b --max-cost 1
  cuervo chat --json < questions.txt    a question a line, one event a line

In the chat /help says what can be typed.
`;

type ChatFlags = CommonFlags & ModelFlags & { continue?: boolean; session?: string };

export function addChatCommand(program: Command): void {
  const command = addModelFlags(
    program.command('chat').description('ask one question after the other, in a terminal'),
  )
    .option('-c, --continue', 'continue the newest session of this workspace')
    .addHelpText('after', examples);
  addCommonFlags(command).action(chat);
}

/** @param flags.session to go on with, of `session resume` */
export async function chat(flags: ChatFlags): Promise<void> {
  // Changes are journaled to the end of the answer.
  oweWork();
  const isTyped =
    flags.json !== true && process.stdin.isTTY === true && process.stderr.isTTY === true;
  await (isTyped ? chatAtTerminal(flags) : chatByLines(flags));
}

const optionsOf = (flags: ChatFlags) => (setProgress: (label: string) => void) => ({
  ...kernelOptions(flags, { set: setProgress }),
  ...modelOptions(flags),
});

async function open(
  flags: ChatFlags,
  keyboard: Parameters<typeof openChat>[0]['keyboard'],
): Promise<Chat> {
  const { quiet = false, json = false } = flags;
  const made = await openChat({ open: optionsOf(flags), keyboard, quiet, json });
  const wanted = flags.session ?? (flags.continue ? 'newest' : undefined);
  if (wanted !== undefined) await goOnWith(made, wanted);
  return made;
}

/** Messages of earlier sessions at the arrow keys. */
const maxSessions = 20;
/** How many of its last messages are shown when a conversation goes on. */
const maxShown = 4;

async function chatAtTerminal(flags: ChatFlags): Promise<void> {
  using keyboard = openKeyboard(process.stdin, process.stderr);
  await using made = await open(flags, keyboard);
  let model = await made.kernel.modelName();
  const reader = createMessageReader({
    keyboard,
    screen: process.stderr,
    earlier: await earlierMessages(made),
    complete: async (line) => [
      ...completeCommand(line),
      ...(await completePath(made.kernel, line)),
    ],
    ...(process.env.TERM === 'dumb' || flags.quiet ? {} : { state: () => stateLine(made, model) }),
    onShiftTab: () => {
      made.mode = nextMode(made.mode);
    },
  });
  let isEnding = false;
  const end = (): void => {
    isEnding = true;
    reader.close();
  };
  process.once('SIGTERM', end);
  process.once('SIGHUP', end);
  try {
    if (!flags.quiet) await greet(made);
    const { indexInBackground } = await import('./index-in-background.ts');
    await indexInBackground(made.kernel, { isLong: true, quiet: flags.quiet });
    for (;;) {
      const message = await reader.read();
      if (message === undefined) break;
      if ((await answer(made, message, keyboard)) === 'leave' || isEnding) break;
      model = await made.kernel.modelName();
      note('');
    }
  } finally {
    process.off('SIGTERM', end);
    process.off('SIGHUP', end);
  }
  note('');
  if (made.session !== undefined && !flags.quiet) note('go on with: cuervo chat -c');
  using interrupt = listenForInterrupt();
  await afterCommand(made.kernel, { signal: interrupt.signal, quiet: flags.quiet });
}

/** Model, context, money and mode, as one line. */
function stateLine({ mode, contextTokens, spending }: Chat, model: string): string {
  const { usd } = spending.total();
  return [
    model === 'none' ? 'no model' : oneLine(model),
    ...(contextTokens === undefined ? [] : [`${contextTokens.toLocaleString('en')} tokens`]),
    ...(usd === undefined ? [] : [`$${usd.toFixed(2)}`]),
    modeTexts[mode],
    'Shift+Tab',
  ].join(' · ');
}

/** Answers a message; an error ends the question, not the chat. */
async function answer(
  made: Chat,
  message: string,
  keyboard: Keyboard,
): Promise<'leave' | undefined> {
  using _keys = keyboard.answer(() => process.emit('SIGINT'));
  using interrupt = listenForInterrupt();
  try {
    const done = await runChatCommand(made, message, interrupt.signal);
    if (done !== 'question') return done;
  } catch (thrown) {
    const error = toKernelError(thrown);
    if (error.code === 'canceled') note(error.message);
    else tellError(errorBody(error), { json: false });
    return undefined;
  }
  interrupt[Symbol.dispose]();
  await made.ask(message);
  return undefined;
}

/** First hints for the person, and the last messages of an earlier conversation. */
async function greet(made: Chat): Promise<void> {
  const { config } = made.kernel;
  const model = await made.kernel.modelName();
  const who = model === 'none' ? 'no model: answers are passages' : `model ${oneLine(model)}`;
  const greeting = `cuervo chat in ${oneLine(config.workspace)}, ${who}. /help says what can be typed.`;
  note(wrapText('', greeting, terminalColumns()).join('\n'));
  if (made.session === undefined) return;
  const store = await made.kernel.store();
  const said = store.messages(made.session).slice(-maxShown);
  for (const { role, text } of said) {
    note(`${role === 'user' ? '>' : ' '} ${shortenText(oneLine(text), 100)}`);
  }
}

async function earlierMessages({ kernel }: Chat): Promise<string[]> {
  const store = await kernel.store();
  const sessions = store.sessions({ project: kernel.config.workspace, limit: maxSessions });
  const said = sessions.flatMap(({ id }) => store.messages(id));
  const typed = said.filter(({ role }) => role === 'user').toSorted((a, b) => b.ts - a.ts);
  return [...new Set(typed.map(({ text }) => text))];
}

/** Without a terminal each line is a question. */
async function chatByLines(flags: ChatFlags): Promise<void> {
  const json = flags.json === true;
  await using made = await open(flags, undefined);
  let exitCode = 0;
  const lines = createInterface({ input: process.stdin, terminal: false });
  for await (const line of lines) {
    const message = line.trim();
    if (message === '') continue;
    try {
      using interrupt = listenForInterrupt();
      const done = json ? 'question' : await runChatCommand(made, message, interrupt.signal);
      if (done === 'leave') break;
      if (done !== 'question') continue;
    } catch (thrown) {
      fail(KernelError.from(thrown, 'internal'), { json });
      exitCode = Number(process.exitCode ?? 1);
      continue;
    }
    exitCode = (await made.ask(message)) || exitCode;
    if (exitCode === 130) break;
  }
  lines.close();
  process.exitCode = exitCode;
}
