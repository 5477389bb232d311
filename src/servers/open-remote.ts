import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';

export type CheckedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A server elsewhere, each request by way of `fetch`. */
export function createRemoteTransport(
  url: string,
  options: {
    fetch: CheckedFetch;
    headers: Readonly<Record<string, string>>;
  },
): Transport {
  const { fetch, headers } = options;
  return new StreamableHTTPClientTransport(new URL(url), {
    fetch,
    requestInit: { headers },
  });
}
