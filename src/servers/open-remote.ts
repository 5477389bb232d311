import {
  type AuthProvider,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';

export type CheckedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Says who asks, and finds the next token where the server does not take the last one. */
export type RemoteAuth = Required<Pick<AuthProvider, 'token'>> & {
  onUnauthorized(): Promise<void>;
};

/** A server elsewhere, each request by way of `fetch`. */
export function createRemoteTransport(
  url: string,
  options: {
    fetch: CheckedFetch;
    headers: Readonly<Record<string, string>>;
    auth: RemoteAuth | undefined;
  },
): Transport {
  const { fetch, headers, auth } = options;
  return new StreamableHTTPClientTransport(new URL(url), {
    fetch,
    requestInit: { headers },
    ...(auth === undefined ? {} : { authProvider: auth }),
  });
}
