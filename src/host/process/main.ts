import { closeSync } from 'node:fs';
import { type HostCall, type ToolErrorCase, toolErrorCases } from '../../contracts/tool.ts';
import { nowMs } from '../../fs/work-within.ts';
import { once } from '../../lib/memo.ts';
import { fsLimits } from '../../paths/fs-limits.ts';
import { openRoot, type Way } from '../../paths/open-name.ts';
import { HostFailure } from '../../paths/system-failure.ts';
import {
  decodeBytes,
  encodeBytes,
  type Frame,
  fromProcess,
  jsonOf,
  readText,
  toProcess,
  viewTexts,
} from '../../protocol/frame.ts';
import type {
  AssistMessage,
  CallTerms,
  FileMessage,
  OpenMessage,
  ProcessLimits,
  ReplyMessage,
  RequestMessage,
  ResultMessage,
  TransferMessage,
} from '../../protocol/messages.ts';
import { boundCopies } from '../../wasi/adapters/adapt-exports.ts';
import { settled } from '../../wasi/adapters/settled.ts';
import { takesWasi } from '../../wasi/create-wasi-imports.ts';
import type { StartedCall } from '../../wasi/gate-ports.ts';
import { ExitError } from '../../wasi/resource.ts';
import { type Instance, loadComponent } from './create-instance.ts';
import { type CallScope, createGuestImports, type GuestImports } from './guest-imports.ts';
import { createLaterReplies } from './later-replies.ts';
import {
  createFrameReader,
  createReceivedFiles,
  type ReadFrame,
  type ReceivedFiles,
} from './read-frames.ts';
import { createFrameWriter, createOutputFrame, type OutputFrame } from './write-frames.ts';

/**
 * The program inside a plugin process. Descriptor 3 brings frames from the kernel and 4 takes
 * them back. It reads nothing but the granted roots: what it runs comes in frames.
 */
const inbox = 3;
const outbox = 4;
const readFrame = createFrameReader(inbox);
const { send, write } = createFrameWriter(outbox);

/**
 * Bytes that one crossing of the boundary may copy out of a guest: many times the largest result.
 */
const maxCopiedBytes = 64 * 1024 * 1024;
const copies = boundCopies(maxCopiedBytes);

/** Id of the tool call under way. */
let callId = 0;

/** @throws {HostFailure} `limit` for arguments that no frame holds */
function sendRequest(request: RequestMessage): void {
  try {
    send(fromProcess.request, request);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new HostFailure('limit', `${request.call} would take ${thrown.message}`);
  }
}

/** Sends a host call and blocks until the kernel has answered it. */
function askKernel(id: number, call: string, args: readonly unknown[]): unknown {
  sendRequest({ id, call, args: args.map(encodeBytes) });
  const frame = readFrame();
  // The kernel is gone, and nobody reads the result.
  if (frame === undefined) process.exit(0);
  const reply = JSON.parse(jsonOf(frame)) as ReplyMessage;
  if ('error' in reply) throw new HostFailure(reply.error.tag, reply.error.val);
  return decodeBytes(reply.value);
}

function answeredAtOnce(ask: () => unknown): StartedCall {
  const value = ask();
  return { answer: () => ({ value }), wait: () => {} };
}

/** A result that no frame holds does not help: the sibling does the work itself. */
function sendPart(id: number, part: unknown): void {
  try {
    send(fromProcess.assisted, { id, part });
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    send(fromProcess.assisted, { id, part: null });
  }
}

/** Takes files until the component is opened; undefined when the kernel is gone. */
function receiveOpen(received: ReceivedFiles): OpenMessage | undefined {
  for (;;) {
    const frame = readFrame();
    if (frame === undefined) return undefined;
    if (receiveFile(frame, received)) continue;
    if (frame.kind === toProcess.transfer) {
      receiveTransfer(JSON.parse(jsonOf(frame)) as TransferMessage, received);
    } else return JSON.parse(jsonOf(frame)) as OpenMessage;
  }
}

function receiveFile(frame: ReadFrame, received: ReceivedFiles): boolean {
  if (frame.kind === toProcess.part) received.part(frame);
  else if (frame.kind === toProcess.file) received.finish(JSON.parse(jsonOf(frame)) as FileMessage);
  else return false;
  return true;
}

/** It is closed before any code of the plugin runs. */
function receiveTransfer({ descriptor }: TransferMessage, received: ReceivedFiles): void {
  const read = createFrameReader(descriptor);
  for (let frame = read(); frame !== undefined; frame = read()) receiveFile(frame, received);
  closeSync(descriptor);
}

/** Opens a root that was not inherited. The process is confined already. */
function openGranted(root: number | string, way: Way): number {
  return typeof root === 'number' ? root : openRoot(root, way);
}

async function serve(): Promise<void> {
  const received = createReceivedFiles();
  const open = receiveOpen(received);
  if (open === undefined) return;
  const startedMs = nowMs();
  const later = createLaterReplies(open.later);
  const guest = createGuestImports({
    takesWasi: takesWasi(received.text(open.files[open.entry] ?? '')),
    roots: new Map(
      Object.entries(open.roots).map(([name, root]) => [name, openGranted(root, open.way)]),
    ),
    // Roots that are opened here lie on paths that the process may read.
    enters:
      open.way === 'descriptor' &&
      Object.values(open.roots).every((root) => typeof root === 'string'),
    protectedPaths: open.protectedPaths,
    limits: open.limits,
    replays: open.replays === true,
    askKernel: (call, args) => askKernel(callId, call, args),
    askLater: (call, args) =>
      later.ask((seq) => sendRequest({ id: callId, call, args: args.map(encodeBytes), seq })),
    start: (call, args) =>
      later.start((seq) => sendRequest({ id: callId, call, args: args.map(encodeBytes), seq })) ??
      answeredAtOnce(() => askKernel(callId, call, args)),
    sendLog: (message) => send(fromProcess.log, message),
    sendProgress: (message) => send(fromProcess.progress, message),
  });
  const instantiate = loadComponent(open, received, guest, copies);
  // Skip the trial run if a call waits: it would touch the same pages itself, only later.
  let prepared = prepare(instantiate, { isTried: !open.isAwaited });
  const output = createOutputFrame(open.limits.maxResultBytes);
  send(fromProcess.ready, { ms: nowMs() - startedMs });
  for (;;) {
    const frame = readFrame();
    if (frame === undefined) return;
    if (frame.kind === toProcess.assist) {
      const { id, args } = JSON.parse(jsonOf(frame)) as AssistMessage;
      sendPart(id, guest.assist(args));
      continue;
    }
    const call = receiveCall(frame);
    callId = call.id;
    const made = answer(call, prepared, guest, output, open);
    const result = made instanceof Promise ? await waited(call.id, made, prepared) : made;
    later.forget();
    sendResult(result, output);
    // While the kernel reads the answer and thinks, the next instance is made ready.
    prepared = prepare(instantiate, { isTried: true });
  }
}

/** A call whose texts were not decoded; they are good until the next frame is read. */
type ReceivedCall = { id: number; tool: Uint8Array; input: Uint8Array; terms: CallTerms };

/** A result whose texts lie in the output frame already, where there are any. */
type MadeResult =
  | Exclude<ResultMessage, { outcome: 'ok' }>
  | { id: number; calls: readonly HostCall[]; outcome: 'ok' };

/** The rights of the last call; sent again when they change. */
let terms: CallTerms | undefined;

function receiveCall(frame: Frame): ReceivedCall {
  const { id, first, second: tool, rest: input } = viewTexts(frame);
  if (first.length > 0) terms = JSON.parse(readText(first, 0, first.length)) as CallTerms;
  if (terms === undefined) throw new RangeError('a call came without its terms');
  return { id, tool, input, terms };
}

function sendResult(result: MadeResult, output: OutputFrame): void {
  if (result.outcome !== 'ok') {
    send(fromProcess.result, result);
    return;
  }
  const { id, calls } = result;
  try {
    const { frame, end } = output.finish(id, calls.length === 0 ? '' : JSON.stringify(calls));
    write(frame, end);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    const rows = calls.map(({ args, answer, ...row }) => row);
    // A run that cannot be replayed is better than one without its result.
    if (calls.some(({ answer }) => answer !== undefined)) {
      sendResult({ ...result, calls: rows }, output);
      return;
    }
    const message = `the result with what the tool looked at would take ${thrown.message}`;
    send(fromProcess.result, { id, calls, outcome: 'error', case: 'limit', message });
  }
}

type Prepared = { tools: Instance; describe(): unknown } | { trap: string };

/**
 * Makes a fresh instance. A tried one has run `describe()` once without any authority: its pages
 * are touched and its code is warm, which is most of the cost of a first call.
 */
function prepare(instantiate: () => Instance, { isTried }: { isTried: boolean }): Prepared {
  try {
    const tools = instantiate();
    if (!isTried) return { tools, describe: () => tools.describe() };
    const description = tools.describe();
    return { tools, describe: () => description };
  } catch (thrown) {
    return { trap: trapText(thrown) };
  }
}

function answer(
  call: ReceivedCall,
  prepared: Prepared,
  guest: GuestImports,
  output: OutputFrame,
  { limits, records }: Pick<OpenMessage, 'limits' | 'records'>,
): MadeResult | Promise<MadeResult> {
  const calls: HostCall[] = [];
  if ('trap' in prepared) return { id: call.id, calls, outcome: 'trap', message: prepared.trap };
  if (call.tool.length === 0) {
    return { id: call.id, calls, outcome: 'described', tools: prepared.describe() };
  }
  const { effect, denied, timeoutMs } = call.terms;
  const scope: CallScope = {
    effect,
    denied,
    calls,
    made: 0,
    logBytes: 0,
    ...{ kept: 0, records: records === true },
    walksEndMs: walksEnd(timeoutMs),
  };
  guest.setScope(scope);
  output.begin();
  const { tools } = prepared;
  const failed = (thrown: unknown): MadeResult => {
    guest.setScope(undefined);
    return failureOf(call.id, thrown, calls);
  };
  const done = (): MadeResult => {
    try {
      guest.finish();
    } catch (thrown) {
      return failed(thrown);
    }
    guest.setScope(undefined);
    return resultOf(call.id, output.bytes(), calls, limits);
  };
  return settled(() => tools.call(call.tool, call.input, output.take), {
    value: done,
    error: failed,
  });
}

/** Beginning to listen takes some milliseconds, which a short call is spared. */
const listenAfterMs = 20;
/** Tells the guest that its call is to end. */
let cancel: (() => void) | undefined;
/** The kernel closes standard input when it does not wait for a result any more. */
const listen = once(
  () =>
    void process.stdin
      .once('end', () => cancel?.())
      .resume()
      .unref(),
);

/**
 * Fails a guest that waits for something that can never come: the event loop would run out of work,
 * and Node would end the process silently.
 */
async function waited(
  id: number,
  made: Promise<MadeResult>,
  prepared: Prepared,
): Promise<MadeResult> {
  const { promise: stuck, resolve } = Promise.withResolvers<MadeResult>();
  const onIdle = (): void => {
    const message = 'it waits for something that nothing can bring any more';
    resolve({ id, calls: [], outcome: 'trap', message });
  };
  process.once('beforeExit', onIdle);
  cancel = 'tools' in prepared ? prepared.tools.cancel : undefined;
  const timer = setTimeout(listen, listenAfterMs).unref();
  try {
    return await Promise.race([made, stuck]);
  } finally {
    process.off('beforeExit', onIdle);
    clearTimeout(timer);
    cancel = undefined;
  }
}

/** When the walks of a call that begins now end, so that what they found still comes back. */
function walksEnd(timeoutMs: number | undefined): number {
  if (timeoutMs === undefined) return Number.POSITIVE_INFINITY;
  return nowMs() + timeoutMs * fsLimits.walkTimeShare;
}

function resultOf(
  id: number,
  bytes: number,
  calls: readonly HostCall[],
  { maxResultBytes: limit }: ProcessLimits,
): MadeResult {
  if (bytes <= limit) return { id, calls, outcome: 'ok' };
  const message = `the tool returned ${bytes} bytes, limit ${limit} (limits.max-result-bytes)`;
  return { id, calls, outcome: 'error', case: 'limit', message };
}

function failureOf(id: number, thrown: unknown, calls: readonly HostCall[]): MadeResult {
  // jco delivers the guest's `tool-error` inside an error, traps as errors of the engine.
  const payload = (thrown as { payload?: unknown }).payload;
  if (typeof payload === 'object' && payload !== null && 'tag' in payload && 'val' in payload) {
    const { tag, val } = payload;
    if (typeof tag === 'string' && isToolErrorCase(tag) && typeof val === 'string') {
      const message = val.length > maxMessageLength ? `${val.slice(0, maxMessageLength)}…` : val;
      return { id, calls, outcome: 'error', case: tag, message };
    }
  }
  if (thrown instanceof ExitError) {
    return { id, calls, outcome: 'error', case: 'failed', message: thrown.message };
  }
  return { id, calls, outcome: 'trap', message: trapText(thrown) };
}

function isToolErrorCase(tag: string): tag is ToolErrorCase {
  return (toolErrorCases as readonly string[]).includes(tag);
}

const maxMessageLength = 4000;
/** Room for what a guest was denied, which limit it reached and what it wrote. */
const maxTrapLength = 800;

/** One line, no stack, no host path. */
function trapText(thrown: unknown): string {
  const text =
    thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'a value that is not an error';
  return text.split('\n', 1)[0]?.slice(0, maxTrapLength) ?? '';
}

serve().then(
  () => process.exit(0),
  (thrown) => {
    send(fromProcess.failed, { message: trapText(thrown) });
    process.exit(1);
  },
);
