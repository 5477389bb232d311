import type { Json, JsonObject } from '../contracts/tool.ts';
import type { RemoteGuard } from '../kernel.ts';

/** Texts as a model that is not on this machine may get them. */
export type GuardedTexts = {
  /** @param source for what is said of it, e.g. the name of a tool */
  text(source: string, text: string, isError?: boolean): string;
  /**
   * A result whole: `value` where it is an object of JSON, which the text then says, too.
   *
   * @param paths files that were read for it, relative to the workspace
   */
  result(
    source: string,
    content: string,
    options: { paths: readonly string[]; signal: AbortSignal },
  ): Promise<{ text: string; value: JsonObject | undefined; warning?: string }>;
};

export function createGuardedTexts(guard: RemoteGuard): GuardedTexts {
  /** Hidden characters may stand in JSON as escapes, which the text as a whole does not show. */
  const partsOf = (given: Json): Json => {
    if (typeof given === 'string') return guard.part(given);
    if (Array.isArray(given)) return given.map(partsOf);
    if (typeof given !== 'object' || given === null) return given;
    const entries = Object.entries(given).map(([key, each]) => [guard.part(key), partsOf(each)]);
    return Object.fromEntries(entries) as JsonObject;
  };

  return {
    text: (source, text, isError = false) => guard.outside({ source, text, isError }).text,
    result: async (source, content, { paths, signal }) => {
      await guard.know(paths, { signal });
      const value = objectIn(content);
      let told = guard.outside({ source, text: content });
      const isPlain = told.text === content && !content.includes('\\u');
      if (value !== undefined && !isPlain) {
        const text = JSON.stringify(partsOf(value));
        told = { ...guard.outside({ source, text }), source: told.source };
      }
      const note = told.source.slice(source.length);
      return {
        text: told.text,
        // Of the text that was looked at, so that neither says more than the other.
        value: value === undefined ? undefined : objectIn(told.text),
        ...(note === '' ? {} : { warning: `note: ${source}${note}` }),
      };
    },
  };
}

function objectIn(content: string): JsonObject | undefined {
  if (!/^\s*\{/.test(content)) return undefined;
  try {
    return JSON.parse(content) as JsonObject;
  } catch {
    return undefined;
  }
}
