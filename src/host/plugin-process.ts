import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import type { Duplex, Readable } from 'node:stream';
import { KernelError } from '../contracts/error.ts';
import { onAbort } from '../lib/on-abort.ts';
import { createCallBudget } from './call-budget.ts';
import type { Guardian } from './create-guardian.ts';
import { type ProcessMessage, parseFrame } from './parse-frame.ts';
import { createFrameDecoder, encodeFrame, toProcess } from './protocol/frame.ts';
import type {
  CallMessage,
  OpenMessage,
  ProcessLimits,
  ReplyMessage,
  RequestMessage,
  ResultMessage,
} from './protocol/messages.ts';

/** The first inherited root; 0–2 are closed or standard error, 3 and 4 carry frames. */
const firstRootDescriptor = 5;

/** Bytes of standard error that are kept to explain why a process ended. */
const maxStderrBytes = 4096;

/**
 * Smaller heaps and no helper threads: a plugin process is one of many and mostly waits.
 * Code from strings is never needed, so it is off.
 */
const engineFlags = [
  '--liftoff-only',
  '--optimize-for-size',
  '--max-semi-space-size=1',
  '--single-threaded',
  '--max-old-space-size=256',
  '--stack-size=900',
  '--disallow-code-generation-from-strings',
  '--no-warnings',
];

export type PluginProcessOptions = {
  /** built bundle of `src/host/process/main.ts` */
  bundle: string;
  /** folder of the prepared plugin: glue and core modules */
  folder: string;
  /** granted roots: name -> absolute directory */
  roots: Readonly<Record<string, string>>;
  open: Omit<OpenMessage, 'roots' | 'folder'>;
  /**
   * Checks the folder's files while the process boots, before it is told of them.
   *
   * @throws {KernelError} ends the process, and is what its calls fail with
   */
  verify(): void;
  /** at most this long until the component is compiled */
  startTimeoutMs: number;
  /** told of the process, so that it does not outlive the kernel */
  guardian?: Guardian;
};

type Waiter = {
  resolve(message: ResultMessage): void;
  reject(reason: KernelError): void;
  onMessage(message: ProcessMessage): void;
  onRequest(request: RequestMessage): Promise<ReplyMessage>;
  /** true from a request to its reply: the process cannot say anything then */
  replying: boolean;
  /** throws for a message that is above the limits of the call */
  check(message: ProcessMessage): void;
};

/**
 * One plugin in an operating-system process of its own. Everything it sends is checked;
 * whatever breaks the protocol ends it. The caller owns it.
 */
export class PluginProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ready: Promise<void>;
  #settleReady: { resolve(): void; reject(reason: KernelError): void } | undefined;
  #waiter: (Waiter & { id: number }) | undefined;
  #nextId = 1;
  #stderr = '';
  #ended: KernelError | undefined;
  readonly #closed: Promise<void>;
  readonly #limits: ProcessLimits;

  constructor(options: PluginProcessOptions) {
    this.#limits = options.open.limits;
    const names = Object.keys(options.roots);
    const descriptors = names.map((name) => openDirectory(options.roots[name] as string));
    try {
      this.#child = spawn(process.execPath, processArguments(options), {
        stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', ...descriptors],
        env: {},
        cwd: '/',
        detached: false,
      });
    } finally {
      for (const descriptor of descriptors) closeSync(descriptor);
    }
    options.guardian?.watch(this.#child);
    this.#ready = new Promise<void>((resolve, reject) => {
      this.#settleReady = { resolve, reject };
    });
    // Whoever calls learns of it; a process that nobody calls may fail in silence.
    this.#ready.catch(() => {});
    this.#closed = new Promise((resolve) => this.#child.once('close', () => resolve()));
    this.#listen(options.startTimeoutMs);
    const roots = Object.fromEntries(
      names.map((name, index) => [name, firstRootDescriptor + index]),
    );
    this.#open(options, roots);
  }

  #open(options: PluginProcessOptions, roots: Readonly<Record<string, number>>): void {
    try {
      options.verify();
      this.#write(encodeFrame(toProcess.open, { ...options.open, folder: options.folder, roots }));
    } catch (thrown) {
      this.#end(KernelError.from(thrown, 'internal'));
    }
  }

  /** Of the operating system; for benchmarks that look at its memory. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  /** Resolves when the component is compiled and an instance is prepared. */
  ready(): Promise<void> {
    return this.#ready;
  }

  /**
   * One call, one at a time. When `signal` fires the process is killed: a guest that
   * computes cannot be asked to stop.
   *
   * @throws {KernelError} `plugin-fault` when the process breaks the protocol or ends;
   *   the signal's reason as `deadline-exceeded` or `canceled`
   */
  async call(
    message: Omit<CallMessage, 'id'>,
    options: {
      signal: AbortSignal;
      onMessage?(message: ProcessMessage): void;
      /** serves a host call that is the kernel's to decide; must not throw */
      onRequest?(request: RequestMessage): Promise<ReplyMessage>;
    },
  ): Promise<ResultMessage> {
    const forget = onAbort(options.signal, (reason) =>
      this.kill(KernelError.from(reason, 'canceled')),
    );
    try {
      await this.#ready;
      if (this.#ended !== undefined) throw this.#ended;
      const id = this.#nextId++;
      const result = new Promise<ResultMessage>((resolve, reject) => {
        const check = createCallBudget(this.#limits);
        const { onMessage = () => {}, onRequest = refuseRequest } = options;
        this.#waiter = { id, resolve, reject, onMessage, onRequest, check, replying: false };
      });
      this.#write(encodeFrame(toProcess.call, { ...message, id }));
      return await result;
    } finally {
      forget();
    }
  }

  /** Ends the process at once; a call under way fails with `reason`. */
  kill(reason: KernelError): void {
    this.#end(reason);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end(new KernelError('canceled', 'the plugin process was closed'));
    await this.#closed;
  }

  #listen(startTimeoutMs: number): void {
    const child = this.#child;
    const decode = createFrameDecoder();
    const outbox = child.stdio[4] as Readable;
    outbox.on('data', (chunk: Buffer) => {
      try {
        for (const frame of decode(chunk)) this.#take(parseFrame(frame));
      } catch (thrown) {
        this.#end(KernelError.from(thrown, 'plugin-fault'));
      }
    });
    // A closed pipe is told by `close`; without a listener it would end the kernel.
    for (const stream of child.stdio) stream?.on('error', () => {});
    child.stderr?.on('data', (chunk: Buffer) => {
      if (this.#stderr.length < maxStderrBytes) this.#stderr += chunk.toString('utf8');
    });
    child.once('error', (error) => {
      const message = `the plugin process could not start: ${error.message}`;
      this.#end(new KernelError('internal', message, { cause: error }));
    });
    child.once('close', (code, signal) => this.#end(this.#explainEnd(code, signal)));
    const timer = setTimeout(() => {
      const message = `the plugin was not ready after ${startTimeoutMs} ms (startTimeoutMs)`;
      this.#end(new KernelError('deadline-exceeded', message));
    }, startTimeoutMs);
    this.#ready.finally(() => clearTimeout(timer)).catch(() => {});
  }

  #take(received: ProcessMessage): void {
    if (this.#ended !== undefined) return;
    if (received.kind === 'ready') {
      if (this.#settleReady === undefined) throw outOfOrder(received.kind);
      this.#settleReady.resolve();
      this.#settleReady = undefined;
      return;
    }
    if (received.kind === 'failed') {
      throw new KernelError('plugin-fault', `the component does not load: ${received.message}`);
    }
    const waiter = this.#waiter;
    if (waiter === undefined) throw outOfOrder(received.kind);
    if (waiter.replying) throw outOfOrder(received.kind);
    waiter.check(received);
    if (received.kind === 'request') {
      this.#serve(received.message, waiter);
      return;
    }
    if (received.kind !== 'result') {
      waiter.onMessage(received);
      return;
    }
    if (received.message.id !== waiter.id) {
      throw wrongCall(received.message.id, waiter.id);
    }
    this.#waiter = undefined;
    waiter.resolve(received.message);
  }

  #serve(request: RequestMessage, waiter: Waiter & { id: number }): void {
    if (request.id !== waiter.id) throw wrongCall(request.id, waiter.id);
    waiter.replying = true;
    waiter
      .onRequest(request)
      .then((reply) => {
        if (this.#ended !== undefined) return;
        waiter.replying = false;
        this.#write(encodeReply(reply));
      })
      .catch((thrown: unknown) => this.#end(KernelError.from(thrown, 'internal')));
  }

  #explainEnd(code: number | null, signal: NodeJS.Signals | null): KernelError {
    const how = signal === null ? `with code ${code}` : `by ${signal}`;
    const memory = /heap out of memory|Allocation failed|Fatal process/i.test(this.#stderr);
    return new KernelError(
      'plugin-fault',
      `the plugin process ended ${how}${memory ? ': it ran out of memory' : ''}`,
    );
  }

  #write(frame: Buffer): void {
    (this.#child.stdio[3] as Duplex).write(frame);
  }

  #end(reason: KernelError): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#child.kill('SIGKILL');
    this.#settleReady?.reject(reason);
    this.#settleReady = undefined;
    this.#waiter?.reject(reason);
    this.#waiter = undefined;
  }
}

function processArguments(options: PluginProcessOptions): string[] {
  return [
    ...engineFlags,
    '--permission',
    `--allow-fs-read=${options.bundle}`,
    `--allow-fs-read=${options.folder}/*`,
    ...descriptorFlags(Object.keys(options.roots).length),
    options.bundle,
  ];
}

/**
 * Reading below descriptors: the roots, and the directories that are opened on the way down.
 *
 * `/proc/self/fd/*` would be shorter and a hole. The permission model compares texts, takes
 * `/proc/self/fd/5/../x` for something below `/proc/self/fd`, and the system opens what lies
 * beside the root, and so on up to the root of all. What is left with a digit in front is a
 * neighbour of a root whose name begins with one; the number whole and `/*` behind it does not
 * do, because the model then loses `5` where there is a `50`.
 */
function descriptorFlags(roots: number): string[] {
  if (roots === 0) return [];
  return Array.from('123456789', (digit) => `--allow-fs-read=/proc/self/fd/${digit}*`);
}

function openDirectory(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code;
    const message = `the folder ${path} cannot be opened: ${code}`;
    throw new KernelError(code === 'ENOENT' ? 'not-found' : 'invalid-argument', message, {
      cause: thrown,
      hint: 'Name an existing folder with --workspace DIR.',
    });
  }
}

function wrongCall(id: number, expected: number): KernelError {
  return new KernelError('plugin-fault', `the plugin process answered call ${id}, not ${expected}`);
}

async function refuseRequest(request: RequestMessage): Promise<ReplyMessage> {
  return { error: { tag: 'denied', val: `${request.call} is not served here` } };
}

/** What no frame holds is an error of this one host call. */
function encodeReply(reply: ReplyMessage): Buffer {
  try {
    return encodeFrame(toProcess.reply, reply);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    const error = { tag: 'limit' as const, val: `the answer would be ${thrown.message}` };
    return encodeFrame(toProcess.reply, { error });
  }
}

function outOfOrder(kind: string): KernelError {
  return new KernelError('plugin-fault', `the plugin process sent "${kind}" out of order`);
}
