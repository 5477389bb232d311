import { effectAllows } from '../contracts/effect-allows.ts';
import { KernelError } from '../contracts/error.ts';
import {
  type HostCaller,
  type HostService,
  notDone,
  ServiceError,
} from '../contracts/host-service.ts';
import type { Effect, HostCall } from '../contracts/tool.ts';
import { decodeBytes, encodeBytes } from './protocol/encode-bytes.ts';
import type { ReplyMessage, RequestMessage } from './protocol/messages.ts';
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
  /** told of each call, in order, and of what would let a denied one succeed */
  record(call: HostCall, hint?: string): void;
};

/**
 * Serves the host calls of one tool call. The process has checked grant and effect already;
 * they are checked here again, because a broken one would not have.
 */
export function createRequestServer(
  gate: RequestGate,
): (request: RequestMessage) => Promise<ReplyMessage> {
  const note = (call: HostCall): void => gate.record({ ...call, target: journaled(call.target) });
  let known: HostCaller | undefined;
  // Only for a call that asks for something: to ask a caller for its signal makes the signal.
  const caller = (): HostCaller => {
    known ??= { ...gate.caller, note };
    return known;
  };
  let served = 0;
  return async ({ call, args }) => {
    const startedMs = performance.now();
    const finish = (
      outcome: HostCall['outcome'],
      target: string,
      more: { bytes?: number | undefined; hint?: string | undefined },
    ): void => {
      const durationMs = performance.now() - startedMs;
      const base = { call, target: journaled(target), outcome, durationMs };
      gate.record(more.bytes === undefined ? base : { ...base, bytes: more.bytes }, more.hint);
    };
    try {
      served += 1;
      const service = admit(call, served, gate);
      const { value, target, bytes } = await service(args.map(decodeBytes), caller());
      finish('ok', target, { bytes });
      return { value: encodeBytes(value) };
    } catch (thrown) {
      const error = toServiceError(call, thrown);
      finish(error.tag, error.target, { hint: error.hint });
      return { error: { tag: error.tag, val: error.message } };
    }
  };
}

function journaled(target: string): string {
  return target.slice(0, maxTargetLength);
}

function admit(call: string, served: number, gate: RequestGate): HostService {
  const capability = call.split('.', 1)[0] ?? '';
  const reason = gate.denied[capability];
  if (reason !== undefined) throw new ServiceError('denied', reason);
  const service = gate.services.get(call);
  if (service === undefined)
    throw new ServiceError('denied', `${call} is not available in this version`);
  if (!effectAllows(gate.effect, call)) {
    const text = `${call} is above the effect "${gate.effect}" that this tool declares`;
    throw new ServiceError('denied', text);
  }
  if (served > gate.maxHostCalls) {
    throw new ServiceError('limit', `more than ${gate.maxHostCalls} host calls in one tool call`);
  }
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

/** What reads, and what asks before it does anything. */
const rehearsed: ReadonlySet<string> = new Set([
  ...['kv.get', 'kv.keys', 'random.bytes', 'memory.search', 'http.secret-exists'],
  ...['exec.run', 'http.send', 'fs-write.may-write', 'fs-write.write-text', 'fs-write.write-bytes'],
  ...['fs-write.create-dir', 'fs-write.rename', 'fs-write.remove'],
]);

const outgoing: ReadonlySet<string> = new Set(['exec.run', 'http.send']);

/** A guest learns the case and a sentence; where a path or a reason of the kernel stands, it does not. */
function toServiceError(call: string, thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const { code } = KernelError.from(thrown, 'internal');
  if (code === 'resource-exhausted') return new ServiceError('limit', `${call}: no room is left`);
  if (code === 'deadline-exceeded') return new ServiceError('timeout', `${call} took too long`);
  return new ServiceError('io', `${call} could not be served`);
}
