import type { HostCaller, HostService } from '../../contracts/host-service.ts';
import { type Effect, type HostCall, maxRecordedLength } from '../../contracts/tool.ts';
import { createEndingSignal } from '../../lib/signals.ts';
import type { ReplyMessage, RequestMessage } from '../../protocol/messages.ts';
import { createIndexHelp, type FileIndex } from './index-help.ts';
import type { ProcessPool } from './process-pool.ts';
import { createScanHelp } from './scan-help.ts';
import { createRefusalSum, createRequestServer, type RequestRate } from './serve-request.ts';

/** A call, with a hint for the person on what would allow it. */
export type ServedCall = HostCall & { hint?: string };

/** Answers what a plugin process asks for during one call. */
export type CallServer = {
  /** what the kernel served, beside what the process reports of itself */
  readonly served: readonly ServedCall[];
  serve(request: RequestMessage): Promise<ReplyMessage>;
  /** Ends all work that is still under way for the call. */
  end(): Promise<void>;
};

export function createCallServer(options: {
  services: ReadonlyMap<string, HostService>;
  /** without its signal: this function makes one that also fires when the call ends */
  caller: Omit<HostCaller, 'signal'>;
  signal: AbortSignal;
  effect: Effect;
  /** capability -> why it is denied */
  denied: Readonly<Record<string, string>>;
  maxHostCalls: number;
  rate: RequestRate;
  pool: ProcessPool;
  /** what is answered is kept whole */
  records?: boolean | undefined;
  /** of files, where there is one */
  index?: FileIndex | undefined;
  /** granted roots: name -> directory */
  roots?: Readonly<Record<string, string>>;
  /** Writes a call down before it is answered. What it throws ends the process. */
  onServed(call: HostCall): void;
}): CallServer {
  const { effect, denied, signal, pool } = options;
  const served: ServedCall[] = [];
  const ending = createEndingSignal(signal);
  const rows = createRefusalSum(options.onServed);
  const underWay = new Set<Promise<unknown>>();
  const serveRequest = createRequestServer({
    services: options.services,
    caller: {
      ...options.caller,
      get signal() {
        return ending.signal;
      },
    },
    effect,
    denied,
    maxHostCalls: options.maxHostCalls,
    rate: options.rate,
    ...(options.records === true ? { maxKept: maxRecordedLength } : {}),
    record: (hostCall, hint) => {
      served.push({ ...hostCall, ...(hint === undefined ? {} : { hint }) });
      rows.add(hostCall);
    },
  });
  const help = createScanHelp({
    pool,
    effect,
    denied,
    get signal() {
      return ending.signal;
    },
  });

  const { index, roots = {}, caller } = options;
  const askIndex = createIndexHelp({ index, effect, denied, roots, run: caller.run });

  const serveTracked = (request: RequestMessage): Promise<ReplyMessage> => {
    const answer = serveRequest(request);
    const settle = (): void => void underWay.delete(settled);
    // Whoever asked is told what it threw.
    const settled = answer.then(settle, settle);
    underWay.add(settled);
    return answer;
  };

  return {
    served,
    serve: (request) => help(request) ?? askIndex(request) ?? serveTracked(request),
    end: async () => {
      ending.end();
      // Programs are asked to end, and their changes are written down.
      if (underWay.size > 0) await endOf(underWay);
      rows.end();
    },
  };
}

/** No part of a call outlives it; a part that does not end is abandoned. */
async function endOf(underWay: ReadonlySet<Promise<unknown>>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, maxEndingMs);
  await Promise.race([Promise.allSettled(underWay), promise]);
  clearTimeout(timer);
}

/** More than the time that a program gets to end. */
const maxEndingMs = 15_000;
