import { wasiLimits } from '../gate-ports.ts';
import { type Fields, toHeaders } from './fields.ts';
import { methodOf, type RequestLine, urlOf } from './messages.ts';

/** Time of each phase that a guest gives none; the deadline of the call may come first. */
const defaultMs = 30_000;
const maxMs = 300_000;
const nsPerMs = 1_000_000n;

export type Timeouts = Partial<Record<'connect' | 'firstByte' | 'betweenBytes', bigint>>;

export type KernelResponse = {
  status: number;
  headers: [string, string][];
  body: Uint8Array;
  trailers?: [string, string][];
};

/** What the kernel is asked for, whole. */
export function sendArguments(
  request: RequestLine & { headers: Fields },
  body: Uint8Array | undefined,
  phases: Phases,
): unknown[] {
  return [
    {
      method: methodOf(request),
      url: urlOf(request),
      headers: toHeaders(request.headers),
      body,
      timeoutMs: phases.connectMs + phases.firstByteMs + phases.betweenBytesMs,
      maxResponseBytes: wasiLimits.httpBodyBytes,
      phases,
    },
  ];
}

export type Phases = Record<'connectMs' | 'firstByteMs' | 'betweenBytesMs', number>;

export function phasesOf({ connect, firstByte, betweenBytes }: Timeouts): Phases {
  const msOf = (given: bigint | undefined): number => {
    if (given === undefined) return defaultMs;
    const ms = given / nsPerMs;
    return ms > BigInt(maxMs) ? maxMs : Math.max(1, Number(ms));
  };
  return {
    connectMs: msOf(connect),
    firstByteMs: msOf(firstByte),
    betweenBytesMs: msOf(betweenBytes),
  };
}
