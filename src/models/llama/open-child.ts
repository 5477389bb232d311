import type { Confine } from '../../contracts/confined-program.ts';
import { KernelError } from '../../contracts/error.ts';
import { modelError } from '../../contracts/talk.ts';
import { untilAborted } from '../../lib/signals.ts';
import { readLines } from '../../lib/text/decode-text.ts';
import { createEventQueue, type EventQueue } from '../../lib/turns.ts';
import { type ModelProgram, spawnModelProcess } from '../spawn-model-process.ts';
import { ggufFiles } from './gguf-files.ts';
import {
  type CallRequest,
  type ChooseRequest,
  type FromChild,
  type GenerateRequest,
  maxReplyChars,
  maxRequestChars,
  parseReply,
  replyFd,
  type TextsRequest,
  type ToChild,
} from './parse-protocol.ts';
import { createPrefixFiles, type PromptStates } from './prompt-states.ts';

/** A large model is read from disk once; beyond this something hangs. */
const openTimeoutMs = 300_000;
/** Between two batches of a prompt the process reads no messages. */
const cancelGraceMs = 2_000;

export type ChildOptions = {
  childPath: string;
  packages?: readonly string[] | undefined;
  confine: Confine;
  path: string;
  contextTokens: number;
  threads: number;
  use: 'chat' | 'embed' | 'rank';
  /** where the beginnings of prompts are kept, as the model has read them; nowhere when absent */
  states?: PromptStates | undefined;
  /** gives up loading the model; later it has no effect */
  signal?: AbortSignal | undefined;
};

/** A running model process with its model loaded. The caller owns it. */
export type LlamaChild = AsyncDisposable & {
  readonly contextTokens: number;
  readonly asciiPerToken: number;
  /** of vectors; 0 of a model that is open for something else */
  readonly dimensions: number;
  /** that the model was trained on */
  readonly trainedTokens: number;
  /** whether its file says how a conversation is written */
  readonly hasTemplate: boolean;
  /** false once it ended: open another */
  readonly alive: boolean;
  /**
   * One generation; they wait for each other. Ends with `end`. Abort throws `canceled` at once;
   * the process is asked to stop and killed when it does not.
   */
  generate(
    request: GenerateRequest,
    options: { signal: AbortSignal },
  ): AsyncGenerator<GenerateReply, void, undefined>;
  /** Which tool would be called, or the input of the call of one; otherwise as `generate`. */
  call(
    request: ({ type: 'choose' } & ChooseRequest) | ({ type: 'call' } & CallRequest),
    options: { signal: AbortSignal },
  ): AsyncGenerator<CallReply, void, undefined>;
  /** How fast this machine is with the model. */
  measure(options: { signal: AbortSignal }): Promise<SpeedReply>;
  /** Vectors, or scores, of texts; otherwise as `generate`. */
  work(
    request: TextsRequest,
    options: { signal: AbortSignal },
  ): AsyncGenerator<TextsReply, void, undefined>;
};

export type TextsReply = Extract<FromChild, { type: 'vector' | 'scores' }>;
export type GenerateReply = Extract<FromChild, { type: 'text' | 'end' }>;
export type CallReply = Extract<FromChild, { type: 'text' | 'end' | 'weights' }>;
export type SpeedReply = Extract<FromChild, { type: 'speed' }>;

type Request =
  | ({ type: 'generate' } & GenerateRequest)
  | ({ type: 'choose' } & ChooseRequest)
  | ({ type: 'call' } & CallRequest)
  | { type: 'measure' }
  | TextsRequest;
type StateMessage = Extract<FromChild, { type: 'state' }>;
type Reply = GenerateReply | CallReply | SpeedReply | TextsReply | StateMessage;

/** Messages of one conversation in order, waited for one by one. */
type Inbox = Pick<EventQueue<FromChild>, 'push' | 'fail'> & {
  next(signal: AbortSignal): Promise<FromChild>;
};

function createInbox(): Inbox {
  const queue = createEventQueue<FromChild>();
  const values = queue.values();
  // A wait that was given up is kept for the next caller.
  let waited: Promise<IteratorResult<FromChild, void>> | undefined;
  return {
    push: queue.push,
    fail: queue.fail,
    next: async (signal) => {
      waited ??= values.next();
      const { value } = await untilAborted(waited, signal);
      waited = undefined;
      if (!value) throw new KernelError('unavailable', 'the model process has ended');
      return value;
    },
  };
}

/** Every message before the end of a conversation. */
function isPiece(message: FromChild): message is Exclude<Reply, { type: 'end' }> {
  return ['text', 'vector', 'scores', 'weights', 'speed', 'state'].includes(message.type);
}

function failure(message: Extract<FromChild, { type: 'failed' }>, path: string): KernelError {
  if (message.code === 'invalid-argument' && message.id !== 0) {
    return modelError(
      { kind: 'overflow' },
      message.message,
      'Ask a smaller question.',
      message.code,
    );
  }
  if (message.id !== 0) return new KernelError(message.code, message.message);
  return new KernelError('unavailable', `${path} could not be loaded: ${message.message}`, {
    hint: 'run without a model (--model none) or with another one',
  });
}

function openFailure(thrown: unknown, path: string): KernelError {
  const error = KernelError.from(thrown, 'unavailable');
  if (error.code !== 'deadline-exceeded') return error;
  const detail = `${path} was not loaded within ${openTimeoutMs / 1_000} s`;
  return new KernelError('unavailable', detail, { cause: thrown });
}

function lineOf(message: ToChild): string {
  const line = JSON.stringify(message);
  if (line.length <= maxRequestChars) return line;
  const detail = `the prompt has ${line.length} characters, limit ${maxRequestChars}`;
  throw new KernelError('invalid-argument', detail);
}

function programOf({ childPath, packages, confine, path, states }: ChildOptions): ModelProgram {
  return {
    childPath,
    ...(packages === undefined ? {} : { packages }),
    confine,
    reads: ggufFiles(path),
    ...(states === undefined ? {} : { writes: states.folder }),
  };
}

/**
 * Starts the model process and loads the model in it.
 *
 * @throws {KernelError} `unavailable` with the process's reason when it cannot load the model,
 *   crashes or takes more than 5 minutes; `canceled` when the signal fires, with the process gone
 */
export async function openChild(options: ChildOptions): Promise<LlamaChild> {
  const inboxes = new Map<number, Inbox>();
  let ended: KernelError | undefined;

  const end = (error: KernelError): void => {
    ended ??= error;
    child.kill();
    for (const inbox of inboxes.values()) inbox.fail(ended);
    inboxes.clear();
  };
  const receive = (line: string): void => {
    if (ended !== undefined) return;
    try {
      const message = parseReply(line);
      inboxes.get(message.type === 'ready' ? 0 : message.id)?.push(message);
    } catch (thrown) {
      end(KernelError.from(thrown, 'unavailable'));
    }
  };
  const child = await spawnModelProcess(programOf(options), {
    replyFd,
    onStartFailure: (thrown) => {
      const detail = `the model process could not start: ${thrown.message}`;
      end(new KernelError('unavailable', detail, { cause: thrown }));
    },
    onEnd: (how) => {
      const hint = 'ask again, or run without a model: --model none';
      end(modelError({ kind: 'broken' }, `the model process ${how}`, hint));
    },
  });
  void receiveAll(child.replies.setEncoding('utf8'), receive);

  const send = (message: ToChild): void => child.writeLine(lineOf(message));

  const files = createPrefixFiles(options.states, child.find);
  let lastId = 0;
  let busy: Promise<void> = Promise.resolve();

  /** One request and its replies, up to `end`. */
  async function* converse(
    request: Request,
    { signal }: { signal: AbortSignal },
  ): AsyncGenerator<Reply, void, undefined> {
    const before = busy;
    const idle = Promise.withResolvers<void>();
    busy = before.then(() => idle.promise);
    const id = ++lastId;
    const inbox = createInbox();
    let running = false;
    try {
      await untilAborted(before, signal);
      using prefix = await files.forPrompt(request);
      if (ended !== undefined) throw ended;
      inboxes.set(id, inbox);
      send({ id, ...request, ...prefix.named });
      running = true;
      for (;;) {
        const message = await inbox.next(signal);
        if (message.type === 'state') {
          prefix.settle(message);
          continue;
        }
        if (isPiece(message)) {
          yield message;
          continue;
        }
        running = false;
        if (message.type === 'failed') throw failure(message, options.path);
        if (message.type === 'end') yield message;
        return;
      }
    } finally {
      if (running && ended === undefined) void stop(id, inbox, idle.resolve);
      else idle.resolve();
      if (!running) inboxes.delete(id);
    }
  }

  /** Asks for the end of a generation and waits for it; kills when it does not come. */
  async function stop(id: number, inbox: Inbox, done: () => void): Promise<void> {
    try {
      send({ type: 'cancel', id });
      const signal = AbortSignal.timeout(cancelGraceMs);
      while (isPiece(await inbox.next(signal)));
      inboxes.delete(id);
    } catch {
      end(new KernelError('unavailable', 'the model process did not stop and was ended'));
    } finally {
      done();
    }
  }

  const dispose = async (): Promise<void> => {
    end(new KernelError('unavailable', 'the model is closed'));
    await child.exited;
    await files.settled();
  };

  const opening = createInbox();
  inboxes.set(0, opening);
  try {
    send({
      type: 'open',
      path: child.find(options.path),
      contextTokens: options.contextTokens,
      threads: options.threads,
      use: options.use,
    });
    const late = AbortSignal.timeout(openTimeoutMs);
    const { signal = late } = options;
    const ready = await opening.next(AbortSignal.any([signal, late]));
    if (ready.type === 'failed') throw failure(ready, options.path);
    if (ready.type !== 'ready')
      throw new KernelError('unavailable', 'the model process returned an invalid answer');
    inboxes.delete(0);
    return {
      contextTokens: ready.contextTokens,
      asciiPerToken: ready.asciiPerToken,
      dimensions: ready.dimensions,
      trainedTokens: ready.trainedTokens,
      hasTemplate: ready.hasTemplate,
      get alive() {
        return ended === undefined;
      },
      generate: (request, options) =>
        only(converse({ type: 'generate', ...request }, options), isGenerated),
      call: (request, options) => only(converse(request, options), isCalled),
      measure: async (options) => {
        for await (const reply of converse({ type: 'measure' }, options)) {
          if (reply.type === 'speed') return reply;
        }
        throw new KernelError('unavailable', 'the model process measured nothing');
      },
      work: (request, options) => only(converse(request, options), isWorked),
      [Symbol.asyncDispose]: dispose,
    };
  } catch (thrown) {
    const error = openFailure(thrown, options.path);
    end(error);
    await child.exited;
    throw error;
  }
}

/** A broken pipe is ignored: the end of the process reports it. */
async function receiveAll(
  replies: AsyncIterable<string>,
  receive: (line: string) => void,
): Promise<void> {
  try {
    for await (const line of readLines(replies, maxReplyChars)) receive(line);
  } catch {}
}

const isGenerated = (reply: Reply): reply is GenerateReply =>
  reply.type === 'text' || reply.type === 'end';
const isCalled = (reply: Reply): reply is CallReply =>
  reply.type === 'text' || reply.type === 'end' || reply.type === 'weights';
const isWorked = (reply: Reply): reply is TextsReply =>
  reply.type === 'vector' || reply.type === 'scores';

async function* only<Wanted extends Reply>(
  replies: AsyncGenerator<Reply, void, undefined>,
  isWanted: (reply: Reply) => reply is Wanted,
): AsyncGenerator<Wanted, void, undefined> {
  for await (const reply of replies) if (isWanted(reply)) yield reply;
}
