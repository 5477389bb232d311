import type { HostErrorCase } from '../../contracts/tool.ts';
import { HostFailure } from '../../paths/host-failure.ts';

/** `wasi:http/types.error-code`, as far as it is given here. */
export type HttpError = { tag: string; val?: unknown };

const byCase: Readonly<Record<HostErrorCase, string>> = {
  denied: 'HTTP-request-denied',
  'not-found': 'destination-not-found',
  invalid: 'HTTP-request-URI-invalid',
  limit: 'HTTP-response-body-size',
  timeout: 'connection-read-timeout',
  conflict: 'internal-error',
  io: 'internal-error',
};

/** Cases of the kernel that its words divide further, as `src/http` writes them. */
const byWords: readonly (readonly [RegExp, HttpError])[] = [
  [/: no connection within \d+ ms$/, { tag: 'connection-timeout' }],
  [/: ECONNREFUSED$/, { tag: 'connection-refused' }],
  [/ has no trusted certificate: /, { tag: 'TLS-certificate-error' }],
  [/ did not answer$|: (?:ECONNRESET|EPIPE|HPE_\w+)$/, { tag: 'HTTP-protocol-error' }],
  [/ has no address$/, { tag: 'DNS-error', val: { rcode: 'address not available', infoCode: 0 } }],
];

/** An error of the kernel; any other error is thrown again. */
export function httpErrorOf(thrown: unknown): HttpError {
  if (!(thrown instanceof HostFailure)) throw thrown;
  const { tag: hostCase, val: text } = thrown.payload;
  const isDivided = hostCase === 'io' || hostCase === 'timeout';
  const known = isDivided ? byWords.find(([words]) => words.test(text))?.[1] : undefined;
  if (known !== undefined) return { val: undefined, ...known };
  const tag = byCase[hostCase];
  return { tag, val: tag === 'internal-error' ? text : undefined };
}
