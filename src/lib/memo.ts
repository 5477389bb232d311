/** Makes the value of a key once; all are kept as long as the function itself. */
export function memoize<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  return memoizeSome(make, Number.POSITIVE_INFINITY);
}

/** The same for keys without an end: all are forgotten once so many are kept. */
export function memoizeSome<Key, Value>(
  make: (key: Key) => Value,
  most: number,
): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    if (made.size >= most) made.clear();
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

/** Makes on the first call what every later call gets, too. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Makes something of a text, and keeps it until another text comes: a file is read more often than it changes. */
export function rememberLast<Made>(make: (text: string) => Made): (text: string) => Made {
  let last: { text: string; made: Made } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, made: make(text) };
    return last.made;
  };
}

/** Says each text once, however often it comes. */
export function sayOnce(say: (text: string) => void): (text: string) => void {
  const said = new Set<string>();
  return (text) => {
    if (said.has(text)) return;
    said.add(text);
    say(text);
  };
}
