import { RequestError } from '@agentclientprotocol/sdk';
import { KernelError } from '../contracts/error.ts';

/** Codes that tell a client to send something else. */
const ofCaller: ReadonlySet<KernelError['code']> = new Set([
  ...(['invalid-argument', 'not-found', 'permission-denied', 'conflict'] as const),
]);

/** Any error as the protocol says it: what is wrong and what helps, on one line. */
export function toRequestError(thrown: unknown): RequestError {
  if (thrown instanceof RequestError) return thrown;
  const { code, message, hint } = KernelError.from(thrown, 'internal');
  const text = [message, hint].filter(Boolean).join('. ');
  return new RequestError(ofCaller.has(code) ? -32602 : -32603, text, { code });
}

/** Answers a request, and its errors as the protocol has them. */
export async function answering<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    throw toRequestError(thrown);
  }
}
