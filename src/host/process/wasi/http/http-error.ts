import type { HostErrorCase } from '../../../../contracts/tool.ts';
import { HostFailure } from '../../../paths/host-failure.ts';

/** `wasi:http/types.error-code`, as far as it is given here. */
export type HttpError = { tag: string; val?: unknown };

const byCase: Readonly<Record<HostErrorCase, string>> = {
  denied: 'HTTP-request-denied',
  'not-found': 'destination-not-found',
  invalid: 'HTTP-request-URI-invalid',
  limit: 'HTTP-response-body-size',
  timeout: 'connection-timeout',
  conflict: 'internal-error',
  io: 'internal-error',
};

/** An error of the kernel; any other error is thrown again. */
export function httpErrorOf(thrown: unknown): HttpError {
  if (!(thrown instanceof HostFailure)) throw thrown;
  const tag = byCase[thrown.payload.tag];
  if (tag === 'internal-error') return { tag, val: thrown.payload.val };
  return { tag, val: undefined };
}
