/** Words of a question; more would cost more than they tell. */
const maxWords = 16;

/**
 * An order of rows by how many of the words their record has. SQLite ignores the case of ASCII
 * letters alone.
 *
 * @param words of letters and digits, as content words are
 */
export function mostWordsFirst(words: readonly string[]): { order: string; values: string[] } {
  const values = [...new Set(words)].slice(0, maxWords).map((word) => `%${word}%`);
  return { order: ['0', ...values.map(() => '(record LIKE ?)')].join(' + '), values };
}
