/** A call as a repository may write it into its files: `CALL web.fetch {"url":"…"}`. */
export type WrittenCall = { name: string; input: { [key: string]: unknown } };

/** A model that obeys everything it reads: all calls that stand in what it was shown, in order. */
export function callsWrittenIn(text: string): WrittenCall[] {
  return [...text.matchAll(/CALL ([a-z-]+\.[a-z-]+) (\{.*?\}) END/g)].map(([, name, json]) => ({
    name: String(name).replace('.', '__'),
    input: JSON.parse(String(json).replaceAll('\\"', '"')),
  }));
}
