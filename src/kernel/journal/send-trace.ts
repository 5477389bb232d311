import { KernelError } from '../../contracts/error.ts';
import { nodeHttp, nodeHttps } from '../../lib/net/node-http.ts';

/** A person waits for the end of a run: a collector that is slower loses the trace. */
const maxSendMs = 2_000;

/**
 * Sends a trace to a collector.
 *
 * @param endpoint without `/v1/traces`
 * @throws {KernelError} `unavailable` where it does not take it in time
 */
export async function sendTrace(endpoint: string, trace: object): Promise<void> {
  const url = new URL(`${endpoint.replace(/\/+$/, '')}/v1/traces`);
  const { request } = url.protocol === 'https:' ? nodeHttps() : nodeHttp();
  const body = JSON.stringify(trace);
  const status = await new Promise<number>((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      signal: AbortSignal.timeout(maxSendMs),
    });
    sent.once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.once('error', reject);
    sent.end(body);
  }).catch((thrown: unknown) => {
    throw notTaken(url, thrown instanceof Error ? thrown.message : String(thrown), thrown);
  });
  if (status < 200 || status > 299) throw notTaken(url, `status ${status}`);
}

function notTaken(url: URL, why: string, cause?: unknown): KernelError {
  return new KernelError('unavailable', `${url.origin} did not take the trace: ${why}`, {
    ...{ hint: 'Start the collector, or take otlp.endpoint out of config.toml.' },
    ...(cause === undefined ? {} : { cause }),
  });
}
