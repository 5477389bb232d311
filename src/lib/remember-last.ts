/** Makes something of a text, and keeps it until another text comes: a file is read more often than it changes. */
export function rememberLast<Made>(make: (text: string) => Made): (text: string) => Made {
  let last: { text: string; made: Made } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, made: make(text) };
    return last.made;
  };
}
