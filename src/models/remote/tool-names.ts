import type { ModelRequest } from '../../contracts/model.ts';

/** All providers accept names of up to 64 letters, digits, `_` and `-`. */
const maxNameChars = 64;

/** Names of tools as the provider takes them, both ways. */
export type ToolNames = { toProvider(name: string): string; fromProvider(name: string): string };

/**
 * `search.grep` is `search__grep` to the provider. Names that would then be the same get a number.
 *
 * @param names of all tools that the request speaks of, also in earlier calls
 */
export function createToolNames(names: Iterable<string>): ToolNames {
  const outward = new Map<string, string>();
  const inward = new Map<string, string>();
  for (const name of names) {
    if (outward.has(name)) continue;
    const plain = name
      .replaceAll('.', '__')
      .replace(/[^A-Za-z0-9_-]/g, '_')
      .slice(0, maxNameChars - 4)
      // A model may call a tool with an empty name, which no provider accepts in a request.
      .replace(/^$/, 'unnamed');
    let unique = plain;
    for (let n = 2; inward.has(unique); n += 1) unique = `${plain}_${n}`;
    outward.set(name, unique);
    inward.set(unique, name);
  }
  return {
    toProvider: (name) => outward.get(name) ?? name,
    fromProvider: (name) => inward.get(name) ?? name,
  };
}

/** The names of the offered tools and of earlier calls. */
export function toolNamesOf({ tools, messages }: ModelRequest): ToolNames {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []) : [],
  );
  return createToolNames([...tools, ...calls].map(({ name }) => name));
}
