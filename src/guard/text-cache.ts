/** The most characters of cached texts; a run of several days would need more. */
const maxCharacters = 4_000_000;

/** Caches results for texts, and forgets all of them when the limit is reached. */
export type TextCache<Value> = {
  get(text: string): Value | undefined;
  has(text: string): boolean;
  set(text: string, value: Value): void;
  clear(): void;
};

export function createTextCache<Value>(): TextCache<Value> {
  const known = new Map<string, Value>();
  let characters = 0;
  const clear = (): void => {
    known.clear();
    characters = 0;
  };
  return {
    get: (text) => known.get(text),
    has: (text) => known.has(text),
    set: (text, value) => {
      if (known.has(text)) return void known.set(text, value);
      characters += text.length;
      if (characters > maxCharacters) clear();
      known.set(text, value);
    },
    clear,
  };
}
