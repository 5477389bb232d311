import type { ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Duplex, Readable } from 'node:stream';
import { KernelError } from '../../contracts/error.ts';
import { killGroup, type OrphanReaper, spawnChild } from '../../lib/process/child.ts';
import { type MemoryWatch, watchMemory } from '../../lib/process/watch-memory.ts';
import { createDeadline, onAbort } from '../../lib/signals.ts';
import { overlappingCalls } from '../../protocol/call-names.ts';
import {
  createFrameDecoder,
  encodeFile,
  encodeFrame,
  encodeTexts,
  maxFrameBytes,
  toProcess,
} from '../../protocol/frame.ts';
import {
  type AssistedMessage,
  type CallMessage,
  type CallTerms,
  type LaterReply,
  maxOverlapping,
  type OpenMessage,
  type ProcessLimits,
  type ReplyMessage,
  type RequestMessage,
  type ResultMessage,
} from '../../protocol/messages.ts';
import { coverInherited } from '../../sandbox/masked-paths.ts';
import { firstInherited, type Launch, type ProcessPlace } from '../../sandbox/plugin-sandbox.ts';
import type { ProcessSandbox } from '../../sandbox/process-sandbox.ts';
import { pageBytes } from '../install/component/core-module.ts';
import { kindOf, type PreparedFile } from '../install/plugin-record.ts';
import { explainEnd } from './explain-end.ts';
import { type FileTransfer, openFileTransfer } from './file-transfer.ts';
import { type ProcessMessage, parseFrame } from './parse-frame.ts';
import { createCallBudget } from './serve-request.ts';

/** How long the end of a process is waited for. */
const maxEndMs = 5_000;
/** Bytes of standard error that are kept to explain why a process ended. */
const maxStderrBytes = 4096;
/** Memory for the engine beside the component's memories: its heap, code, and passed values. */
const engineBytes = 384 * 1024 * 1024;

/** From asking a guest to end until it is killed: it can drop what it holds, and nobody waits long. */
const graceMs = 200;

/** Limit of unread answers; an honest process reads one before it asks for the next. */
const maxUnreadBytes = 2 * maxFrameBytes;
/** What its memory could hold of later answers, in bytes. */
const maxUnreadLater = 256 * 1024 ** 2;
/** Later answers that are not written yet, of all its calls: of some that were read, this side may hear it later. */
const maxUnread = 2 * maxOverlapping;

export type PluginProcessOptions = ProcessPlace & {
  /** how it is started */
  sandbox: ProcessSandbox;
  /** until it is ready, counted from when it was given a plugin */
  startTimeoutMs: number;
  /** called with a process that would outlive the kernel otherwise */
  orphanReaper?: OrphanReaper;
};

/** What a process is given to run. */
export type LoadedPlugin = {
  open: Omit<OpenMessage, 'roots' | 'way' | 'later' | 'files' | 'isAwaited'>;
  /** a call waits for this process, so only what that call needs is prepared */
  isAwaited?: boolean;
  /**
   * Reads the prepared files and checks their digests, while the process boots.
   *
   * @throws {KernelError} ends the process; its calls fail with this error
   */
  files(): Iterable<PreparedFile>;
};

type Waiter = {
  /** which message ends the wait */
  ends: 'result' | 'assisted';
  resolve(message: ResultMessage | AssistedMessage): void;
  reject(reason: KernelError): void;
  onMessage(message: ProcessMessage): void;
  onRequest(request: RequestMessage): Promise<ReplyMessage>;
  /** each answers a host call that is under way, once the guest was asked to end */
  refusals: Set<(reply: ReplyMessage) => void>;
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
  #child: ChildProcess;
  /** Writes bytes to the process and returns how many still wait. */
  #write: (piece: Uint8Array) => number = () => 0;
  #launch: Launch;
  /** descriptor, in the process, of the pipe of later replies */
  #later = 0;
  /** later answers on their way */
  #unread = 0;
  #transfer: FileTransfer | undefined;
  readonly #options: PluginProcessOptions;
  readonly #ready: Promise<void>;
  #settleReady: { resolve(): void; reject(reason: KernelError): void } | undefined;
  #plugin: LoadedPlugin | undefined;
  #limits: ProcessLimits = { maxResultBytes: 0, maxHostCalls: 0, maxLogBytes: 0 };
  /** true once it sent anything: what it is started in works */
  #spoke = false;
  #waiter: (Waiter & { id: number }) | undefined;
  #followed: { signal: AbortSignal; forget(): void } | undefined;
  #nextId = 1;
  readonly #deadline = createDeadline();
  #lastTerms: CallTerms | undefined;
  #stderr = '';
  #ended: KernelError | undefined;
  /** the component may wait, and so hear that it is to end */
  #mayWait = false;
  /** why the guest was asked to end */
  #canceled: KernelError | undefined;
  #memory: MemoryWatch | undefined;
  readonly #closed: Promise<void>;
  #settleClosed: () => void = () => {};

  /** Starts a process that runs nothing yet. */
  constructor(options: PluginProcessOptions) {
    this.#options = options;
    this.#ready = new Promise<void>((resolve, reject) => {
      this.#settleReady = { resolve, reject };
    });
    // A call throws this error; a process that nobody calls may fail in silence.
    this.#ready.catch(() => {});
    this.#closed = new Promise((resolve) => {
      this.#settleClosed = resolve;
    });
    [this.#launch, this.#child] = this.#spawn();
  }

  #spawn(): [Launch, ChildProcess] {
    const launch = this.#options.sandbox.launch(this.#options);
    const descriptors = launch.inherited.filter((what) => typeof what === 'number');
    const transfer = openFileTransfer();
    this.#transfer?.[Symbol.dispose]();
    this.#transfer = transfer;
    try {
      const given: (number | 'pipe')[] = launch.inherited.map((what) =>
        typeof what === 'number' ? what : 'pipe',
      );
      if (transfer !== undefined) given.push(transfer.descriptor);
      this.#later = firstInherited + given.length;
      given.push('pipe');
      const child = spawnChild(launch.program, launch.args, {
        // Standard input brings nothing; it is closed to tell the guest that its call is to end.
        stdio: coverInherited(['pipe', 'ignore', 'pipe', 'pipe', 'pipe', ...given]),
        env: {},
        cwd: '/',
        // A session of its own: no terminal to write into, and one number to kill all of it by.
        detached: true,
      });
      // With a sandbox of the system, the process ends with the kernel anyway.
      if (launch.tier === 'process') this.#options.orphanReaper?.watch(child);
      this.#listen(child);
      for (const [index, what] of launch.inherited.entries()) {
        if (typeof what !== 'number') (child.stdio[firstInherited + index] as Duplex).end(what);
      }
      return [launch, child];
    } catch (thrown) {
      transfer?.[Symbol.dispose]();
      // A refusal of the system is not a fault of the plugin.
      throw KernelError.from(thrown, 'internal');
    } finally {
      for (const descriptor of descriptors) closeSync(descriptor);
      transfer?.handOver();
    }
  }

  /** Sends each file once: in the transfer of the process where it has one, else in the pipe. */
  #sendFiles(files: readonly PreparedFile[]): void {
    const byDigest = new Map(files.map((file) => [file.digest, file]));
    const frames = [...byDigest.values()].flatMap(({ name, digest, bytes }) => [
      ...encodeFile(bytes, { digest, kind: kindOf(name) }),
    ]);
    if (frames.length > 0 && this.#transfer?.fill(frames) === true) {
      const descriptor = firstInherited + this.#launch.inherited.length;
      this.#write(encodeFrame(toProcess.transfer, { descriptor }));
    } else for (const frame of frames) this.#write(frame);
  }

  /** Gives the process its plugin, once; from then on it is that plugin's alone. */
  load(plugin: LoadedPlugin): void {
    this.#plugin = plugin;
    this.#limits = plugin.open.limits;
    const { startTimeoutMs } = this.#options;
    const timer = setTimeout(() => {
      const message = `the plugin was not ready after ${startTimeoutMs} ms (limits.start-timeout-ms)`;
      const hint = 'Run it again, or raise limits.start-timeout-ms in config.toml.';
      this.#end(new KernelError('deadline-exceeded', message, { hint }));
    }, startTimeoutMs);
    this.#ready.finally(() => clearTimeout(timer)).catch(() => {});
    this.#watch(plugin);
    this.#send(plugin);
  }

  #watch({ open }: LoadedPlugin): void {
    const maxBytes = open.maxPages * pageBytes + engineBytes;
    this.#memory = watchMemory(
      this.#child.pid ?? 0,
      maxBytes,
      () => this.#isIdle,
      () => {
        const text = `the plugin process took more than ${maxBytes} bytes of memory`;
        this.#end(new KernelError('resource-exhausted', text));
      },
    );
  }

  #send(plugin: LoadedPlugin): void {
    try {
      const sent = [...plugin.files()];
      const files = Object.fromEntries(sent.map(({ name, digest }) => [name, digest]));
      this.#mayWait = sent.some(
        ({ name, bytes: { buffer, byteOffset, byteLength } }) =>
          name === plugin.open.entry &&
          Buffer.from(buffer, byteOffset, byteLength).includes(suspendingExport),
      );
      this.#sendFiles(sent);
      const { roots, way } = this.#launch;
      this.#write(
        encodeFrame(toProcess.open, {
          ...plugin.open,
          isAwaited: plugin.isAwaited ?? false,
          files,
          roots,
          way,
          later: this.#later,
        }),
      );
    } catch (thrown) {
      this.#end(KernelError.from(thrown, 'internal'));
    }
  }

  /** Id of the operating system; for benchmarks that look at its memory. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** True once the component is compiled and an instance is prepared. */
  get isReady(): boolean {
    return this.#settleReady === undefined && this.#ended === undefined;
  }

  get #isIdle(): boolean {
    return this.isReady && this.#waiter === undefined;
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  /** Resolves when the component is compiled and an instance is prepared. */
  ready(): Promise<void> {
    return this.#ready;
  }

  /**
   * One call, one at a time. When `signal` fires the process is killed, at once where the guest
   * cannot be asked to end before.
   *
   * @throws {KernelError} `plugin-fault` when the process breaks the protocol or ends;
   *   the signal's reason as `deadline-exceeded` or `canceled`
   */
  call(
    message: Omit<CallMessage, 'id'>,
    options: {
      signal: AbortSignal;
      /** of running, after which the process is killed; absent: the signal alone ends it */
      timeoutMs?: number;
      onMessage?(message: ProcessMessage): void;
      /** serves a host call that is the kernel's to decide; what it throws ends the process */
      onRequest?(request: RequestMessage): Promise<ReplyMessage>;
    },
  ): Promise<ResultMessage> {
    const { onMessage = () => {}, onRequest = refuseRequest, timeoutMs } = options;
    const wait = { ends: 'result', onMessage, onRequest, timeoutMs } as const;
    return this.#exchange(options.signal, wait, (id) =>
      this.#callFrame(id, { ...message, timeoutMs }),
    ) as Promise<ResultMessage>;
  }

  /** The frame of a call. It holds the terms only if they differ from the previous call's. */
  #callFrame(id: number, message: Omit<CallMessage, 'id'>): Uint8Array {
    const { tool, input, effect, denied, timeoutMs } = message;
    const last = this.#lastTerms;
    const isTold =
      last?.effect === effect && last.denied === denied && last.timeoutMs === timeoutMs;
    const terms = { effect, denied, timeoutMs };
    const texts = { id, first: isTold ? '' : JSON.stringify(terms), second: tool, rest: input };
    const frame = encodeTexts(toProcess.call, texts);
    // Set only after encoding: a call that is too large for a frame is never sent.
    if (!isTold) this.#lastTerms = terms;
    return frame;
  }

  /** Runs work that is not the plugin's, such as asking a person, without counting its time. */
  async whileWaiting<Value>(work: () => Promise<Value>): Promise<Value> {
    // The time that a guest has to end stands still for nobody.
    if (this.#canceled !== undefined) throw this.#canceled;
    return await this.#deadline.pauseWhile(work);
  }

  /**
   * Has the process make a share of a sibling's scan, as it would make a call.
   *
   * @returns what is for the sibling to read
   * @throws {KernelError} as `call`
   */
  async assist(args: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    const wait = { ends: 'assisted', onMessage: () => {}, onRequest: refuseRequest } as const;
    const assisted = await this.#exchange(signal, wait, (id) =>
      encodeFrame(toProcess.assist, { id, args }),
    );
    return (assisted as AssistedMessage).part;
  }

  #exchange(
    signal: AbortSignal,
    wait: Pick<Waiter, 'ends' | 'onMessage' | 'onRequest'> & { timeoutMs?: number | undefined },
    frame: (id: number) => Uint8Array,
  ): Promise<ResultMessage | AssistedMessage> {
    if (this.#settleReady !== undefined) {
      return this.#readyBefore(signal, wait.timeoutMs).then(() =>
        this.#exchange(signal, { ...wait, timeoutMs: undefined }, frame),
      );
    }
    return new Promise<ResultMessage | AssistedMessage>((resolve, reject) => {
      if (this.#ended !== undefined) throw this.#ended;
      const id = this.#nextId++;
      try {
        // The process has no request yet, so it need not be ended.
        if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
        this.#write(frame(id));
      } catch (thrown) {
        // The deadline has run since the call began to wait for the start.
        this.#deadline.clear();
        throw thrown;
      }
      // The process wakes up meanwhile.
      this.#memory?.hurry();
      const check = createCallBudget(this.#limits);
      this.#follow(signal);
      const { ends, onMessage, onRequest, timeoutMs } = wait;
      const state = { replying: false, refusals: new Set<(reply: ReplyMessage) => void>() };
      this.#waiter = { ends, onMessage, onRequest, id, resolve, reject, check, ...state };
      if (timeoutMs !== undefined) this.#killAfter(timeoutMs);
    });
  }

  /**
   * Ends a call when the signal fires. Most calls have the same signal as the previous one.
   */
  #follow(signal: AbortSignal): void {
    if (signal === this.#followed?.signal) return;
    this.#followed?.forget();
    const forget = onAbort(signal, (reason) => {
      if (this.#waiter !== undefined) this.#cancel(KernelError.from(reason, 'canceled'));
    });
    this.#followed = { signal, forget };
  }

  #killAfter(timeoutMs: number): void {
    this.#deadline.start(timeoutMs, () => {
      const text = `no answer after ${timeoutMs} ms (limits.call-timeout-ms)`;
      this.#cancel(new KernelError('deadline-exceeded', text));
    });
  }

  /**
   * Has a guest that waits told that its call is to end, serves it nothing any more, and kills the
   * process when it has ended or its time is up. One that computes cannot hear it.
   */
  #cancel(reason: KernelError): void {
    const waiter = this.#waiter;
    if (waiter?.ends !== 'result' || !this.#mayWait) {
      this.kill(reason);
      return;
    }
    if (this.#canceled !== undefined) return;
    this.#canceled = reason;
    for (const refuse of waiter.refusals) refuse(isOver);
    this.#child.stdin?.end();
    this.#deadline.start(graceMs, () => this.kill(reason));
  }

  /** The clock of a call also runs while its process starts. */
  async #readyBefore(signal: AbortSignal, timeoutMs: number | undefined): Promise<void> {
    const forget = this.#killOn(signal);
    if (timeoutMs !== undefined) this.#killAfter(timeoutMs);
    try {
      await this.#ready;
    } finally {
      forget();
    }
  }

  #killOn(signal: AbortSignal): () => void {
    return onAbort(signal, (reason) => this.kill(KernelError.from(reason, 'canceled')));
  }

  /** Ends the process at once; a call under way fails with `reason`. */
  kill(reason: KernelError): void {
    this.#end(reason);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end(new KernelError('canceled', 'the plugin process was closed'));
    const patience = setTimeout(this.#settleClosed, maxEndMs);
    await this.#closed;
    clearTimeout(patience);
  }

  #listen(child: ChildProcess): void {
    const decode = createFrameDecoder();
    const writable = child.stdio[3] as Duplex;
    this.#write = (piece) => {
      // Closed: the reader is gone, and `close` reports that.
      if (!writable.writable) return 0;
      writable.write(piece);
      return writable.writableLength;
    };
    (child.stdio[4] as Readable).on('data', (chunk: Buffer) => {
      this.#spoke = true;
      try {
        const replays = this.#plugin?.open.replays === true;
        for (const frame of decode(chunk)) this.#take(parseFrame(frame, replays));
      } catch (thrown) {
        this.#end(KernelError.from(thrown, 'plugin-fault'));
      }
    });
    // `close` reports a closed pipe; an error without a listener would end the kernel.
    for (const stream of child.stdio) stream?.on('error', () => {});
    child.stderr?.on('data', (chunk: Buffer) => {
      if (this.#stderr.length < maxStderrBytes) this.#stderr += chunk.toString('utf8');
    });
    child.once('error', (error) => {
      const message = `the plugin process could not start: ${error.message}`;
      this.#end(new KernelError('internal', message, { cause: error }));
    });
    child.once('close', (code, signal) => {
      if (this.#startsAnew()) return;
      this.#end(explainEnd(code, signal, this.#stderr));
      this.#settleClosed();
    });
  }

  /**
   * Whether to start again without a sandbox: the first process in it may show that it does not
   * work.
   */
  #startsAnew(): boolean {
    if (this.#ended !== undefined || this.#spoke || this.#launch.tier !== 'os') return false;
    if (this.#options.sandbox.probe().name === 'os') return false;
    this.#stderr = '';
    this.#lastTerms = undefined;
    try {
      [this.#launch, this.#child] = this.#spawn();
    } catch (thrown) {
      this.#end(KernelError.from(thrown, 'internal'));
      return false;
    }
    if (this.#plugin !== undefined) {
      this.#memory?.[Symbol.dispose]();
      this.#watch(this.#plugin);
      this.#send(this.#plugin);
    }
    return true;
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
      throw new KernelError(
        'plugin-fault',
        `the component does not load: ${received.message.message}`,
      );
    }
    const waiter = this.#waiter;
    if (waiter === undefined) throw outOfOrder(received.kind);
    if (waiter.replying) throw outOfOrder(received.kind);
    waiter.check(received);
    if (received.kind === 'request') {
      this.#serve(received.message, waiter);
      return;
    }
    if (received.kind !== 'result' && received.kind !== 'assisted') {
      waiter.onMessage(received);
      return;
    }
    if (received.kind !== waiter.ends) throw outOfOrder(received.kind);
    if (received.message.id !== waiter.id) {
      throw wrongCall(received.message.id, waiter.id);
    }
    if (this.#canceled !== undefined) {
      this.#end(this.#canceled);
      return;
    }
    this.#release();
    waiter.resolve(received.message);
    if (received.kind === 'result' && received.message.outcome === 'trap') {
      this.#end(new KernelError('plugin-fault', 'the plugin trapped in its last call'));
    }
  }

  #serve(request: RequestMessage, waiter: Waiter & { id: number }): void {
    if (request.id !== waiter.id) throw wrongCall(request.id, waiter.id);
    if (request.seq !== undefined) {
      this.#serveLater(request, request.seq, waiter);
      return;
    }
    waiter.replying = true;
    this.#answer(request, waiter)
      .then((reply) => {
        if (this.#ended !== undefined) return;
        waiter.replying = false;
        // A process that asks without reading would make the kernel keep all answers.
        if (this.#write(encodeReply(reply)) > maxUnreadBytes) throw unread();
      })
      .catch((thrown: unknown) => this.#end(KernelError.from(thrown, 'internal')));
  }

  #serveLater(request: RequestMessage, seq: number, waiter: Waiter): void {
    if (this.#unread >= maxUnread || !overlappingCalls.includes(request.call)) {
      throw outOfOrder(`request for ${request.call}`);
    }
    this.#unread += 1;
    this.#answer(request, waiter)
      .then((reply) => {
        // Who asked is gone, or has ended its call without the answer.
        if (this.#ended !== undefined || this.#waiter !== waiter) {
          this.#unread -= 1;
          return;
        }
        const pipe = this.#child.stdio[this.#later] as Duplex;
        pipe.write(encodeReply({ ...reply, seq }), () => {
          this.#unread -= 1;
        });
        // A guest may compute while its answers come, and leave none of them to the next call.
        if (pipe.writableLength > maxUnreadLater) throw unread();
      })
      .catch((thrown: unknown) => this.#end(KernelError.from(thrown, 'internal')));
  }

  /** Nothing begins, and nobody waits for an answer, after the guest was asked to end. */
  async #answer(request: RequestMessage, { refusals, onRequest }: Waiter): Promise<ReplyMessage> {
    if (this.#canceled !== undefined) return isOver;
    // A race of promises would keep each answer until the call ends.
    const { promise, resolve, reject } = Promise.withResolvers<ReplyMessage>();
    refusals.add(resolve);
    onRequest(request).then(resolve, reject);
    try {
      return await promise;
    } finally {
      refusals.delete(resolve);
    }
  }

  #end(why: KernelError): void {
    if (this.#ended !== undefined) return;
    const reason = this.#canceled ?? why;
    this.#ended = reason;
    this.#transfer?.[Symbol.dispose]();
    this.#memory?.[Symbol.dispose]();
    this.#followed?.forget();
    killGroup(this.#child);
    // Do not keep the kernel alive for it: a process that hangs on a dead file system never ends.
    for (const held of [this.#child, ...this.#child.stdio] as { unref?(): void }[]) held?.unref?.();
    this.#settleReady?.reject(reason);
    this.#settleReady = undefined;
    this.#release()?.reject(reason);
  }

  /** This call no longer ends the process. */
  #release(): Waiter | undefined {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    this.#deadline.clear();
    return waiter;
  }
}

const isOver: ReplyMessage = { error: { tag: 'timeout', val: 'the call is over' } };

/** How the glue calls an export that may wait. */
const suspendingExport = 'WebAssembly.promising(';

function wrongCall(id: number, expected: number): KernelError {
  return new KernelError('plugin-fault', `the plugin process answered call ${id}, not ${expected}`);
}

async function refuseRequest(request: RequestMessage): Promise<ReplyMessage> {
  return { error: { tag: 'denied', val: `${request.call} is not served here` } };
}

/** A value that is too large for a frame fails this host call alone. */
function encodeReply(reply: ReplyMessage | LaterReply): Buffer {
  try {
    return encodeFrame(toProcess.reply, reply);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    const error = {
      tag: 'limit' as const,
      val: `the answer is not sent: it would be ${thrown.message}`,
    };
    return encodeFrame(toProcess.reply, { ...reply, value: undefined, error });
  }
}

function unread(): KernelError {
  return new KernelError('plugin-fault', 'the plugin process sends requests and reads no answers');
}

function outOfOrder(kind: string): KernelError {
  return new KernelError('plugin-fault', `the plugin process sent "${kind}" out of order`);
}
