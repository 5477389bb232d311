/**
 * A vector as one line for people and the journal. It reads like a shell's command and is never
 * given to one: what would be ambiguous stands in quotes, escaped.
 *
 * @param maxCharacters what is longer ends in `…`
 */
export function commandText(vector: readonly string[], maxCharacters = 400): string {
  let text = '';
  for (const word of vector) {
    const plain = /^[\w@%+=:,./-]+$/.test(word);
    text += `${text === '' ? '' : ' '}${plain ? word : JSON.stringify(word.slice(0, maxCharacters))}`;
    if (text.length > maxCharacters) return `${text.slice(0, maxCharacters).toWellFormed()}…`;
  }
  return text;
}
