/**
 * The words of an example command: split at white space, with '…' and "…" kept together and `\`
 * taking the next character as it is. Nothing is expanded, and operators are words like others.
 *
 * @returns undefined when a quote is not closed
 */
export function splitWords(text: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '\\' && quote !== "'") {
      at += 1;
      word = (word ?? '') + text.charAt(at);
    } else if (quote !== '') {
      if (char === quote) quote = '';
      else word = (word ?? '') + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + char;
    }
  }
  if (quote !== '') return undefined;
  return word === undefined ? words : [...words, word];
}
