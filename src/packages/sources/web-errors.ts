import type { IncomingHttpHeaders } from 'node:http';
import { type ErrorCode, KernelError } from '../../contracts/error.ts';
import { escapeLine } from '../../lib/text/escape.ts';

type Outcome = [code: ErrorCode, why: string, hint?: string];

/** What each failed answer means, and what a person can do about it. */
const outcomes: Readonly<Record<number, Outcome>> = {
  400: ['invalid-argument', 'did not understand the request'],
  401: ['permission-denied', 'asks for a login'],
  402: ['permission-denied', 'asks to be paid for it'],
  403: ['permission-denied', 'does not let you have it'],
  404: ['not-found', 'does not have it', 'Check the name, and that it is published there.'],
  405: ['unavailable', 'does not offer this'],
  406: ['unavailable', 'has it in no form that cuervo reads'],
  407: ['permission-denied', 'is behind a proxy that asks for a user and a password'],
  408: ['unavailable', 'waited too long for the request'],
  409: ['conflict', 'says that it is already there in another form'],
  410: [
    'not-found',
    'had it and removed it',
    'Look for another version: cuervo plugin info SOURCE',
  ],
  413: ['resource-exhausted', 'takes nothing that large'],
  416: ['unavailable', 'does not have this part of it'],
  421: ['unavailable', 'is not responsible for this address'],
  425: ['unavailable', 'is not ready yet'],
  429: ['unavailable', 'was asked too often'],
  451: ['not-found', 'may not give it for legal reasons'],
};

export function outcomeError(
  status: number,
  headers: IncomingHttpHeaders,
  { what, url, login }: { what: string; url: URL; login?: string },
): KernelError {
  const [code, why, hint] = outcomes[status] ?? general(status);
  const after = headers['retry-after'];
  const wait = after === undefined ? '' : ` Wait ${escapeLine(after).slice(0, 40)} s first.`;
  const next =
    (status === 401 || status === 403) && login !== undefined
      ? login
      : status === 407
        ? 'Put them into the proxy of ~/.npmrc: https-proxy=http://USER:PASSWORD@HOST'
        : (hint ?? (code === 'unavailable' ? `Try again later.${wait}` : 'None of it was kept.'));
  return new KernelError(code, `${what}: ${url.origin} ${why} (${status})`, { hint: next });
}

function general(status: number): Outcome {
  if (status >= 500) return ['unavailable', 'failed'];
  if (status >= 400) return ['unavailable', 'refused the request'];
  if (status >= 300) return ['unavailable', 'points elsewhere without saying where'];
  if (status >= 200) return ['unavailable', 'answered without the thing itself'];
  return ['unavailable', 'gave an answer that cannot be read'];
}

/** @throws {KernelError} `plugin-fault` for an HTML page in the place of a file, such as a login */
export function requireNoPage(
  answer: { headers: Readonly<Record<string, string | undefined>>; body: Buffer; url: URL },
  what: string,
): void {
  const { headers, body, url } = answer;
  const isHtml =
    /^text\/html/i.test(headers['content-type'] ?? '') ||
    /^\s*<(?:!doctype|html)/i.test(body.subarray(0, 200).toString('latin1'));
  if (!isHtml) return;
  throw new KernelError('plugin-fault', `${what}: ${url.origin} answered with a web page`, {
    hint: 'Name the address of the .wasm itself.',
  });
}

export function diskFull(cause: unknown): KernelError {
  return new KernelError('resource-exhausted', 'the disk that holds CUERVO_HOME is full', {
    cause,
    hint: 'Make room and try again: the part that arrived is kept. Or use another disk: CUERVO_HOME=DIR cuervo …',
  });
}
