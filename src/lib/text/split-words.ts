/** `count text='one two'` as words; quotes hold a word together and a backslash a character. */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  const part = /\\(.)|'([^']*)'|"((?:\\.|[^"\\])*)"|(\s+)|([^\s'"\\]+)|(.)/gs;
  let word: string | undefined;
  for (const [, escaped, single, double, space, plain, odd] of line.trim().matchAll(part)) {
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    const text = escaped ?? single ?? double?.replace(/\\(["\\])/g, '$1') ?? plain ?? odd ?? '';
    word = (word ?? '') + text;
  }
  return word === undefined ? words : [...words, word];
}
