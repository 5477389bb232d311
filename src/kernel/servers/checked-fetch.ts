import { KernelError } from '../../contracts/error.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import type { Secret, Secrets } from '../../contracts/secrets.ts';
import type { ServerDefinition } from '../../contracts/servers.ts';
import { toolErrorCodes } from '../../contracts/tool.ts';
import { checkHeaders, checkMethod, parseRequestUrl } from '../../http/check-request.ts';
import { hideEcho } from '../../http/insert-secrets.ts';
import type { ResolveHost } from '../../http/resolve-addresses.ts';
import { sendRequest } from '../../http/send-request.ts';
import { ProgramRefused } from '../../programs/exec/find-program.ts';
import type { Connection } from '../../servers/open-connection.ts';
import type { CheckedFetch } from '../../servers/open-remote.ts';

const maxAnswerBytes = 16 * 1024 * 1024;
const maxRequestMs = 120_000;

/**
 * `fetch` by way of the client that sends the requests of plugins: addresses are checked and pinned,
 * nothing private is reached by a name, and secrets go to their own origins.
 *
 * @param ports.mayReach whether a person agreed to an origin
 */
export function createCheckedFetch(ports: {
  mayReach(origin: string): boolean | Promise<boolean>;
  secrets: Secrets;
  resolve: ResolveHost;
  signal: AbortSignal;
}): CheckedFetch {
  return async (given, init = {}) => {
    const url = parseRequestUrl(String(given));
    const method = (init.method ?? 'GET').toUpperCase();
    const sent = [
      ...new Headers(init.headers as ConstructorParameters<typeof Headers>[0]).entries(),
    ];
    // A stream of notices that never ends: nothing here waits for one.
    if (method === 'GET' && sent.some(([, value]) => value.includes('text/event-stream')))
      return new Response(null, { status: 405 });
    const body = bodyOf(init.body);
    checkMethod(method, body !== undefined);
    const answer = await sendRequest(
      {
        ...{ url, method, body, maxBytes: maxAnswerBytes, timeoutMs: maxRequestMs },
        headers: checkHeaders(sent, body?.byteLength ?? 0),
      },
      {
        resolve: ports.resolve,
        secrets: ports.secrets,
        signal: init.signal == null ? ports.signal : AbortSignal.any([ports.signal, init.signal]),
        authorize: async (_, { origin }) => {
          if (await ports.mayReach(origin)) return;
          throw new ServiceError('denied', `it leads to ${origin}, which nobody agreed to`, origin);
        },
      },
    );
    const { status, headers } = answer;
    const isEmpty = status === 204 || status === 304 || answer.body.byteLength === 0;
    return new Response(isEmpty ? null : new Uint8Array(answer.body), { status, headers });
  };
}

function bodyOf(body: unknown): Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof URLSearchParams)
    return new TextEncoder().encode(String(body));
  if (body instanceof Uint8Array) return body;
  throw new ServiceError('invalid', 'the body of a request is no text');
}

/** Replaces the secrets that a server on this machine was given, by `[secret NAME]`. */
export type HideSecrets = (bytes: Buffer) => Buffer;

export function createHideSecrets(definition: ServerDefinition, secrets: Secrets): HideSecrets {
  // What a server elsewhere sends comes by the client of requests, which hides them.
  if (definition.source.kind === 'remote' || definition.secrets.length === 0)
    return (bytes) => bytes;
  const given = (): Secret[] => definition.secrets.flatMap((name) => secrets.find(name) ?? []);
  return (bytes) => hideEcho(bytes, given(), Number.MAX_SAFE_INTEGER);
}

/** The same connection, whose results, errors and descriptions hold no secret that was given. */
export function hidingSecrets(connection: Connection, hide: HideSecrets): Connection {
  const text = (words: string): string => hide(Buffer.from(words)).toString('utf8');
  const shown = (thrown: unknown): unknown =>
    thrown instanceof KernelError
      ? new KernelError(thrown.code, text(thrown.message), {
          cause: thrown,
          ...(thrown.hint === undefined ? {} : { hint: thrown.hint }),
        })
      : thrown;
  return {
    ...connection,
    listTools: async () => {
      const tools = await connection.listTools();
      const words = JSON.stringify(tools);
      const hidden = text(words);
      return hidden === words ? tools : (JSON.parse(hidden) as typeof tools);
    },
    call: async (tool, input, how) => {
      try {
        const output = await connection.call(tool, input, {
          ...how,
          onProgress: (label, done, total) => how.onProgress(text(label), done, total),
        });
        return { ...output, content: text(output.content) };
      } catch (thrown) {
        throw shown(thrown);
      }
    },
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}

/** Whatever went wrong, as a caller of a tool is told. */
export function serverError(name: string, thrown: unknown): unknown {
  if (thrown instanceof KernelError) return thrown;
  if (thrown instanceof ServiceError || thrown instanceof ProgramRefused) {
    const { tag, message, hint } = thrown;
    const code =
      tag === 'io' ? 'unavailable' : tag === 'invalid' ? 'invalid-argument' : toolErrorCodes[tag];
    return new KernelError(code, `MCP server ${name}: ${message}`, {
      cause: thrown,
      ...(hint === undefined ? {} : { hint }),
    });
  }
  return KernelError.from(thrown, 'internal');
}
