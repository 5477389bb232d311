import { randomUUID } from 'node:crypto';

const maxBytes = 8 * 1024 ** 2;

/** A long result that a client can read by its link. */
export type KeptResult = { uri: string; name: string; mimeType: string; bytes: number };

/** The long results of this connection, already as they may be sent; the oldest make room. */
export type KeptResults = {
  keep(name: string, text: string, mimeType: string): KeptResult;
  list(): KeptResult[];
  read(uri: string): (KeptResult & { text: string }) | undefined;
};

export function createKeptResults(): KeptResults {
  const kept = new Map<string, KeptResult & { text: string }>();
  let held = 0;
  return {
    keep: (name, text, mimeType) => {
      const bytes = Buffer.byteLength(text);
      // Nobody else can guess it.
      const uri = `cuervo://result/${randomUUID()}`;
      const result = { uri, name, mimeType, bytes };
      kept.set(uri, { ...result, text });
      held += bytes;
      for (const [oldest, { bytes: freed }] of kept) {
        if (held <= maxBytes || oldest === uri) break;
        kept.delete(oldest);
        held -= freed;
      }
      return result;
    },
    list: () => [...kept.values()].map(({ text: _, ...result }) => result),
    read: (uri) => kept.get(uri),
  };
}
