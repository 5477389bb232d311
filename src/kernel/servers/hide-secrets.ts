import { KernelError } from '../../contracts/error.ts';
import type { Secret, Secrets } from '../../contracts/secrets.ts';
import type { ServerDefinition } from '../../contracts/servers.ts';
import { hideEcho } from '../../http/insert-secrets.ts';
import type { Connection } from '../../servers/open-connection.ts';

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
