import { effectAllows } from '../../contracts/capability.ts';
import { KernelError } from '../../contracts/error.ts';
import {
  type HostCaller,
  type HostService,
  notDone,
  ServiceError,
} from '../../contracts/host-service.ts';
import type { Effect, HostCall } from '../../contracts/tool.ts';
import { outgoingCalls, refusedCall, rehearsedCalls } from '../../protocol/call-names.ts';
import { decodeBytes, encodeBytes } from '../../protocol/encode-bytes.ts';
import type { ReplyMessage, RequestMessage } from '../../protocol/messages.ts';
import type { RequestRate } from './request-rate.ts';

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
  /** called for each call before it is answered, with what would let a denied one succeed */
  record(call: HostCall, hint?: string): void;
};

/** Refusals behind the limit of host calls: enough for a tool to see that it has to end. */
const maxGoneOn = 100;

/**
 * Serves the host calls of one tool call. The process has checked grant and effect already;
 * they are checked here again, because a broken one would not have. Every call counts, whatever
 * becomes of it.
 *
 * @throws {KernelError} what the process is ended for: it goes on behind its limit, or what it did
 *   could not be written down
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
  // Only for a call that asks for something: to ask a caller for its signal makes the signal.
  const caller = (): HostCaller => {
    known ??= { ...gate.caller, note };
    return known;
  };
  let made = 0;
  let goneOn = 0;

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

  return async (request) => {
    made += 1;
    const startedMs = performance.now();
    const { reply, outcome, target, bytes, hint } = await answerOf(request);
    const durationMs = performance.now() - startedMs;
    const row = { call: nameOf(request), target: journaled(target), outcome, durationMs };
    gate.record(bytes === undefined ? row : { ...row, bytes }, hint);
    if (unwritten !== undefined) throw unwritten.reason;
    if (goneOn > maxGoneOn) throw tooMany(gate.maxHostCalls);
    return reply;
  };
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

/** Told to a tool that has made as many host calls as it may. */
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

/** A guest learns the case and a sentence; where a path or a reason of the kernel stands, it does not. */
function toServiceError(call: string, thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const { code } = KernelError.from(thrown, 'internal');
  if (code === 'resource-exhausted') return new ServiceError('limit', `${call}: no room is left`);
  if (code === 'deadline-exceeded') return new ServiceError('timeout', `${call} took too long`);
  return new ServiceError('io', `${call} could not be served`);
}
