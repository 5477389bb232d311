import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KernelError } from '../contracts/error.ts';
import { onAbort } from '../lib/signals.ts';

const host = '127.0.0.1';
const path = '/signed-in';
const stateBytes = 32;
/** For a request as a whole; a browser on this machine sends it at once. */
const requestMs = 10_000;
const maxConnections = 16;
/** For a person who signs in. */
const maxWaitMs = 10 * 60_000;
const maxErrorText = 64;

export type Returned = { code: string; iss?: string };

/** Where a browser comes back to on this machine after a sign-in. */
export type RedirectTarget = AsyncDisposable & {
  url: string;
  /** what the browser has to bring back */
  state: string;
  /** @throws {KernelError} `permission-denied` where the person or the server said no */
  returned: Promise<Returned>;
};

/**
 * Waits for one browser. Any page can send one here, so that a request without the state is
 * refused and changes nothing.
 */
export async function openRedirect(signal: AbortSignal): Promise<RedirectTarget> {
  const state = randomBytes(stateBytes).toString('base64url');
  const { promise: returned, resolve, reject } = Promise.withResolvers<Returned>();
  returned.catch(() => {});
  const server = createServer({ requestTimeout: requestMs, headersTimeout: requestMs });
  server.maxConnections = maxConnections;
  server.on('request', (request, response) => {
    const url = URL.parse(request.url ?? '', `http://${host}`);
    const say = (status: number, text: string): void => {
      response.writeHead(status, {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
        connection: 'close',
      });
      response.end(`${text}\n`);
    };
    if (url?.pathname !== path) return say(404, 'There is nothing here.');
    const [code, error, iss] = ['code', 'error', 'iss'].map((name) => url.searchParams.get(name));
    if (!isSame(url.searchParams.get('state') ?? '', state))
      return say(400, 'This is not the sign-in that cuervo waits for. Nothing was changed.');
    if (code == null || code === '') {
      // Its description may be of anybody; the code is one of a list.
      const said = (error ?? 'no code').replace(/[^\w -]/g, '').slice(0, maxErrorText);
      reject(new KernelError('permission-denied', `the sign-in ended with: ${said}`));
      return say(400, 'The sign-in was refused. You can close this page.');
    }
    resolve({ code, ...(iss == null ? {} : { iss }) });
    return say(200, 'cuervo has what it needs. You can close this page.');
  });
  const { promise: listening, resolve: listens, reject: failed } = Promise.withResolvers<void>();
  server.once('error', failed);
  server.listen(0, host, listens);
  await listening;
  const late = AbortSignal.timeout(maxWaitMs);
  const forget = onAbort(AbortSignal.any([signal, late]), (reason) => {
    const text = `nobody signed in within ${maxWaitMs / 60_000} minutes`;
    reject(
      late.aborted
        ? new KernelError('deadline-exceeded', text)
        : KernelError.from(reason, 'canceled'),
    );
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}${path}`,
    ...{ state, returned },
    [Symbol.asyncDispose]: async () => {
      forget();
      const closed = new Promise<void>((end) => server.close(() => end()));
      // One that is half sent would never end.
      server.closeAllConnections();
      await closed;
    },
  };
}

function isSame(sent: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(wanted)];
  return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}
