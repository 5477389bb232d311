import { effectAllows } from '../../contracts/capability.ts';
import { KernelError } from '../../contracts/error.ts';
import {
  type HostCaller,
  type HostService,
  notDone,
  ServiceError,
} from '../../contracts/host-service.ts';
import { type Effect, type HostCall, maxKeptLength } from '../../contracts/tool.ts';
import { outgoingCalls, refusedCall, rehearsedCalls } from '../../protocol/call-names.ts';
import { bytesAbove, decodeBytes, encodeBytes } from '../../protocol/frame.ts';
import type { ProcessLimits, ReplyMessage, RequestMessage } from '../../protocol/messages.ts';
import type { ProcessMessage } from './parse-frame.ts';

const windowMs = 60_000;

/** How many requests of one plugin may go out of the sandbox in any minute. */
export type RequestRate = {
  /** Counts a request. 0 when it may go, else the milliseconds until the next one may. */
  take(): number;
};

/** @param perMinute at least 1; more than that in any sixty seconds have to wait */
export function createRequestRate(
  perMinute: number,
  nowMs: () => number = () => performance.now(),
): RequestRate {
  const taken: number[] = [];
  return {
    take: () => {
      const now = nowMs();
      while (taken.length > 0 && now - (taken[0] as number) >= windowMs) taken.shift();
      if (taken.length >= perMinute) return Math.ceil(windowMs - (now - (taken[0] as number)));
      taken.push(now);
      return 0;
    },
  };
}

/** Refusals of one call, for one reason, that each have a row. */
const ownRows = 10;

const refusals: ReadonlySet<HostCall['outcome']> = new Set(['denied', 'limit', 'invalid']);

/**
 * Keeps a tool that is refused a thousand times from filling the journal: the first refusals of a
 * kind have a row each, all others of that kind share one row that says how many they are.
 *
 * @param write takes the rows
 */
export function createRefusalSum(write: (call: HostCall) => void): {
  /** Writes the call down, or counts it. */
  add(call: HostCall): void;
  /** Writes the rows of what was counted. */
  end(): void;
} {
  const counts = new Map<string, { call: HostCall; times: number }>();
  return {
    add: (call) => {
      if (!refusals.has(call.outcome)) return write(call);
      const kind = `${call.call} ${call.outcome}`;
      const seen = counts.get(kind) ?? { call, times: 0 };
      counts.set(kind, { call: seen.call, times: seen.times + 1 });
      if (seen.times < ownRows) write(call);
    },
    end: () => {
      for (const { call, times } of counts.values()) {
        const { call: name, outcome } = call;
        if (times > ownRows)
          write({ call: name, target: '', outcome, durationMs: 0, times: times - ownRows });
      }
      counts.clear();
    },
  };
}

/** What a log line or a label costs beside its text, so that empty ones are not flood. */
const lineCost = 16;

/**
 * Checks the limits of one call a second time. An intact plugin process keeps them itself; a
 * process that sends more is broken.
 *
 * @returns a check of each message that belongs to the call
 * @throws {KernelError} `plugin-fault` from the check, for the message that is too much
 */
export function createCallBudget(limits: ProcessLimits): (received: ProcessMessage) => void {
  let logged = 0;

  const takeLine = (text: string): void => {
    if (logged + text.length > limits.maxLogBytes) {
      throw tooMuch('log text', limits.maxLogBytes, 'max-log-bytes');
    }
    logged += text.length + lineCost;
  };

  return (received) => {
    if (received.kind === 'log') takeLine(received.message.message);
    if (received.kind === 'progress') takeLine(received.message.label);
    if (received.kind !== 'result') return;
    const { message } = received;
    if (message.calls.length > limits.maxHostCalls) {
      throw tooMuch('host calls', limits.maxHostCalls, 'max-host-calls');
    }
    if (message.outcome !== 'ok') return;
    if (bytesAbove(limits.maxResultBytes, message.content, message.summary) !== undefined) {
      throw tooMuch('a result', limits.maxResultBytes, 'max-result-bytes');
    }
  };
}

function tooMuch(what: string, limit: number, name: string): KernelError {
  return new KernelError(
    'plugin-fault',
    `the plugin process sent ${what} above the limit of ${limit} (limits.${name}); it has to keep this limit itself`,
  );
}

/** `host-call.target` of the journal. */
const maxTargetLength = 512;

export type RequestGate = {
  services: ReadonlyMap<string, HostService>;
  caller: HostCaller;
  /** promised by the tool that runs */
  effect: Effect;
  /** capability -> why it is denied */
  denied: Readonly<Record<string, string>>;
  /** host calls of one tool call */
  maxHostCalls: number;
  /** of the requests that leave the sandbox: programs and HTTP */
  rate: RequestRate;
  /** characters that are kept for a replay, of all calls; 64 KiB of each text where absent */
  maxKept?: number;
  /** called for each call before it is answered, with what would let a denied one succeed */
  record(call: HostCall, hint?: string): void;
};

/**
 * Refusals after the limit of host calls, before the process is ended: enough for a tool to notice.
 */
const maxGoneOn = 100;

/**
 * Serves the host calls of one tool call. Checks grant and effect again, although the process has
 * done so, because a broken process would not have. Failed calls count, too.
 *
 * @throws {KernelError} ends the process: it went on after its limit, or its call could not be
 *   written down
 */
export function createRequestServer(
  gate: RequestGate,
): (request: RequestMessage) => Promise<ReplyMessage> {
  let unwritten: { reason: unknown } | undefined;
  // Called from events of sockets, where nobody catches anything.
  const note = (call: HostCall): void => {
    try {
      gate.record({ ...call, target: journaled(call.target) });
    } catch (reason) {
      unwritten ??= { reason };
    }
  };
  let known: HostCaller | undefined;
  // Made on demand: reading the caller's signal creates it, and many calls need none.
  const caller = (): HostCaller => {
    known ??= { ...gate.caller, note };
    return known;
  };
  let made = 0;
  let goneOn = 0;
  let keptLength = 0;

  async function answerOf(request: RequestMessage): Promise<Answer> {
    try {
      const service = admit(request, made, gate);
      const { value, target, bytes } = await service(request.args.map(decodeBytes), caller());
      return { reply: { value: encodeBytes(value) }, outcome: 'ok', target, bytes };
    } catch (thrown) {
      if (thrown instanceof OverLimit) goneOn += 1;
      const { tag, message, target, hint } = toServiceError(nameOf(request), thrown);
      return { reply: { error: { tag, val: message } }, outcome: tag, target, hint };
    }
  }

  const inOrder = createOrder();
  return async (request) => {
    made += 1;
    const startedMs = performance.now();
    const write = inOrder();
    const { reply, outcome, target, bytes, hint } = await answerOf(request);
    const durationMs = performance.now() - startedMs;
    const row = { call: nameOf(request), target: journaled(target), outcome, durationMs };
    const known = bytes === undefined ? row : { ...row, bytes };
    const most = gate.maxKept === undefined ? undefined : gate.maxKept - keptLength;
    const kept = keptTexts(request, reply, { bytes, maxKept: most });
    keptLength += (kept.args?.length ?? 0) + (kept.answer?.length ?? 0);
    write(() => gate.record({ ...known, ...kept }, hint));
    if (unwritten !== undefined) throw unwritten.reason;
    if (goneOn > maxGoneOn) throw tooMany(gate.maxHostCalls);
    return reply;
  };
}

/**
 * Calls that overlap end in any order; they are written down in the order in which they began.
 *
 * @returns takes a place, whose function waits for those of all places before it
 */
function createOrder(): () => (write: () => void) => void {
  const places: { write?: () => void }[] = [];
  return () => {
    const place: { write?: () => void } = {};
    places.push(place);
    return (write) => {
      place.write = write;
      while (places[0]?.write !== undefined) places.shift()?.write?.();
    };
  };
}

/**
 * What is kept for a replay to answer with; nothing for a refused call, which a replay refuses
 * again.
 */
function keptTexts(
  request: RequestMessage,
  reply: ReplyMessage,
  { bytes = 0, maxKept = maxKeptLength }: Record<'bytes' | 'maxKept', number | undefined>,
): Pick<HostCall, 'args' | 'answer'> {
  if (request.call === refusedCall || bytes > maxKept) return {};
  const args = JSON.stringify(request.args);
  const answer = JSON.stringify(reply);
  return Math.max(args.length, answer.length) > maxKept ? {} : { args, answer };
}

/** What became of a call: for the process, and for the journal. */
type Answer = {
  reply: ReplyMessage;
  outcome: HostCall['outcome'];
  target: string;
  bytes?: number | undefined;
  hint?: string | undefined;
};

/** The call that a request is about. */
function nameOf({ call, args }: RequestMessage): string {
  return call === refusedCall ? String(args[0]) : call;
}

/** The refusal after the last allowed host call. */
class OverLimit extends ServiceError {
  constructor(limit: number) {
    super('limit', `more than ${limit} host calls in one tool call`);
  }
}

function tooMany(limit: number): KernelError {
  const text = `more than ${limit} host calls in one tool call (limits.max-host-calls), and ${maxGoneOn} more after the refusal`;
  return new KernelError('resource-exhausted', text, {
    hint: 'Ask it for less at once: fewer files, a smaller folder, a narrower pattern.',
  });
}

function journaled(target: string): string {
  return target.slice(0, maxTargetLength);
}

function admit(request: RequestMessage, made: number, gate: RequestGate): HostService {
  if (made > gate.maxHostCalls) throw new OverLimit(gate.maxHostCalls);
  const call = nameOf(request);
  const isRefused = request.call === refusedCall;
  const capability = call.split('.', 1)[0] ?? '';
  const reason =
    capability === 'network' ? 'no plugin can be granted sockets' : gate.denied[capability];
  if (reason !== undefined) throw new ServiceError('denied', reason);
  const service = gate.services.get(call);
  if (service === undefined && !isRefused)
    throw new ServiceError('denied', `${call} is not available in this version`);
  if (!effectAllows(gate.effect, call)) {
    const text = `${call} is above the effect "${gate.effect}" that this tool declares`;
    throw new ServiceError('denied', text);
  }
  // The process counts the calls that it makes itself.
  if (isRefused || service === undefined) throw new OverLimit(gate.maxHostCalls);
  if (gate.caller.rehearsal !== undefined) {
    if (!rehearsed.has(call)) throw new ServiceError('denied', notDone);
    return service;
  }
  if (outgoing.has(call)) {
    const waitMs = gate.rate.take();
    if (waitMs > 0) {
      const text = `${call}: too many requests in a minute (limits.max-requests-per-minute)`;
      throw new ServiceError('limit', `${text}; the next one in ${Math.ceil(waitMs / 1000)} s`);
    }
  }
  return service;
}

const rehearsed = new Set(rehearsedCalls);
const outgoing = new Set(outgoingCalls);

/** A guest gets the error's case and a fixed sentence, never a path or a reason of the kernel. */
function toServiceError(call: string, thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const { code } = KernelError.from(thrown, 'internal');
  if (code === 'resource-exhausted') return new ServiceError('limit', `${call}: no room is left`);
  if (code === 'deadline-exceeded') return new ServiceError('timeout', `${call} took too long`);
  return new ServiceError('io', `${call} could not be served`);
}
