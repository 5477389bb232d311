import { KernelError } from '../../contracts/error.ts';
import type { AttachedText, EventOf } from '../../contracts/events.ts';
import { errorBody } from '../../kernel/run-events.ts';
import type { Kernel, KernelOptions } from '../../kernel.ts';
import { createAnswerView } from '../answer-view.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { printJson, tellError } from '../output.ts';
import { startProgress } from '../progress.ts';
import { terminalColumns } from '../style.ts';
import { attachFiles } from './attach.ts';
import type { Keyboard } from './keyboard.ts';
import { askingIn, type Mode } from './modes.ts';

/** A conversation of one session; the caller owns it. */
export type Chat = AsyncDisposable & {
  readonly kernel: Kernel;
  /** of the session, which begins with the first question */
  session: string | undefined;
  /** of questions of this chat, oldest first */
  readonly runs: readonly string[];
  readonly lastQuestion: string | undefined;
  readonly spending: Spending;
  mode: Mode;
  /** for the next question */
  readonly attached: AttachedText[];
  /** tokens of the last prompt */
  readonly contextTokens: number | undefined;
  /** Asks and shows the answer. @returns the exit code that `ask` would have */
  /** @param skill name of the one that its model follows */
  ask(question: string, skill?: string): Promise<number>;
  /** Makes the conversation shorter for its model. */
  compact(): Promise<void>;
  useModel(name: string): Promise<void>;
  /** Lends the terminal to a question of ours. */
  lend<Value>(to: () => Promise<Value>): Promise<Value>;
};

export type ChatOptions = {
  /** @param setProgress told what tools say of theirs */
  open(setProgress: (label: string) => void): KernelOptions;
  /** undefined without a terminal */
  keyboard: Keyboard | undefined;
  quiet: boolean;
  json: boolean;
};

export async function openChat(options: ChatOptions): Promise<Chat> {
  const { keyboard, quiet, json } = options;
  const { openKernel } = await import('../../kernel.ts');
  let setProgress: (label: string) => void = () => {};
  const lend: Chat['lend'] = (to) => (keyboard === undefined ? to() : keyboard.lend(to));
  const kernelOptions = lending(
    options.open((label) => setProgress(label)),
    lend,
    () => chat.mode,
  );
  const attached: AttachedText[] = [];
  let contextTokens: number | undefined;
  let kernel = await openKernel(kernelOptions);
  const spending = createSpending();
  const runs: string[] = [];
  let lastQuestion: string | undefined;

  /** Shows what a run of the kernel tells. @returns its exit code */
  const follow = async (
    question: string,
    start: (signal: AbortSignal) => ReturnType<Kernel['ask']>,
  ): Promise<number> => {
    using interrupt = listenForInterrupt();
    using _keys = keyboard?.answer(() => process.emit('SIGINT'));
    using progress = startProgress(!quiet && !json);
    setProgress = progress.set;
    const events = start(interrupt.signal);
    const view = createAnswerView(question, progress, { quiet });
    let run: string | undefined;
    let spent: Parameters<Spending['add']>[0] | undefined;
    let exitCode = 0;
    for await (const event of events) {
      if (json) printJson(event);
      // The person interrupted the answer; that is not an error.
      else if (event.type !== 'error' || event.code !== 'canceled') await view.show(event);
      if (event.type === 'usage') {
        spent = event.spent;
        contextTokens = event.inputTokens;
      }
      if (event.type === 'run-finished') exitCode = event.exitCode;
      run = event.run ?? run;
    }
    setProgress = () => {};
    if (spent !== undefined) spending.add(spent);
    if (run !== undefined) {
      runs.push(run);
      chat.session ??= (await kernel.store()).run(run)?.session;
    }
    return exitCode;
  };

  /** @returns undefined where one cannot be read, which is told */
  const filesOf = async (question: string) => {
    // What comes on standard input is no message of a person at a terminal.
    if (keyboard === undefined) return { question, attached: [], images: [] };
    using interrupt = listenForInterrupt();
    using _keys = keyboard.answer(() => process.emit('SIGINT'));
    try {
      return await attachFiles(kernel, question, interrupt.signal);
    } catch (thrown) {
      tellError(errorBody(KernelError.from(thrown, 'internal')), { json: false });
      return undefined;
    }
  };

  const chat: Chat = {
    get kernel() {
      return kernel;
    },
    session: undefined,
    mode: 'ask',
    attached,
    get contextTokens() {
      return contextTokens;
    },
    runs,
    get lastQuestion() {
      return lastQuestion;
    },
    spending,
    lend,
    ask: async (typed, skill) => {
      // "# releases happen on Thursdays", and not "#12 is broken"
      const question = typed.replace(/^#\s+/, 'remember: ');
      const named = await filesOf(question);
      if (named === undefined) return Number(process.exitCode ?? 1);
      lastQuestion = named.question;
      const texts = [...attached.splice(0), ...named.attached];
      return await follow(named.question, (signal) => {
        const columns = terminalColumns();
        return kernel.ask(named.question, {
          signal,
          isChat: keyboard !== undefined,
          isTyped: keyboard !== undefined && skill === undefined && chat.mode !== 'plan',
          ...(texts.length === 0 ? {} : { attached: texts }),
          ...(named.images.length === 0 ? {} : { images: named.images }),
          ...(chat.mode === 'plan' ? { isPlanOnly: true } : {}),
          ...(skill === undefined ? {} : { skill }),
          ...(chat.session === undefined ? {} : { session: chat.session }),
          ...(columns === undefined || json ? {} : { columns }),
        });
      });
    },
    compact: async () => {
      const { session } = chat;
      if (session === undefined) {
        throw new KernelError('invalid-argument', 'nothing was said yet', {
          hint: 'Ask something first.',
        });
      }
      await follow('', (signal) => kernel.compact(session, { signal }));
    },
    useModel: async (model) => {
      const next = await openKernel({ ...kernelOptions, model });
      try {
        // The error is shown while the old session is still open.
        await next.openModel();
      } catch (thrown) {
        await next[Symbol.asyncDispose]();
        throw thrown;
      }
      await kernel[Symbol.asyncDispose]();
      kernel = next;
    },
    [Symbol.asyncDispose]: () => kernel[Symbol.asyncDispose](),
  };
  return chat;
}

/** A question for consent gets the keys of the terminal until it is answered. */
function lending(options: KernelOptions, lend: Chat['lend'], mode: () => Mode): KernelOptions {
  const { askConsent, askPassphrase, askYesNo } = options;
  return {
    ...options,
    ...(askConsent === undefined
      ? {}
      : { askConsent: askingIn(mode, (...args) => lend(() => askConsent(...args))) }),
    ...(askPassphrase === undefined
      ? {}
      : { askPassphrase: (...args) => lend(() => askPassphrase(...args)) }),
    ...(askYesNo === undefined ? {} : { askYesNo: (...args) => lend(() => askYesNo(...args)) }),
  };
}

/** The session that `-c` and `resume` go on with. @throws {KernelError} `not-found` */
export async function goOnWith(chat: Chat, session: string | 'newest'): Promise<void> {
  const store = await chat.kernel.store();
  const { workspace } = chat.kernel.config;
  const found = session === 'newest' ? store.latestSession(workspace) : store.session(session);
  if (found === undefined && session !== 'newest') {
    throw new KernelError('not-found', `there is no session "${session}"`, {
      hint: 'See them with: cuervo session list --all',
    });
  }
  chat.session = found?.id;
}

type Spent = EventOf<'usage'>['spent'];

/** The cost of a chat's questions, and how many have no known price. */
export type Spending = {
  add(spent: Spent): void;
  total(): Spent & { questions: number };
};

function createSpending(): Spending {
  const sum = { questions: 0, rounds: 0, toolCalls: 0, tokens: 0, durationMs: 0 };
  let usd: number | undefined;
  return {
    add: (spent) => {
      sum.questions += 1;
      sum.rounds += spent.rounds;
      sum.toolCalls += spent.toolCalls;
      sum.tokens += spent.tokens;
      sum.durationMs += spent.durationMs;
      if (spent.usd !== undefined) usd = (usd ?? 0) + spent.usd;
    },
    total: () => (usd === undefined ? { ...sum } : { ...sum, usd }),
  };
}
