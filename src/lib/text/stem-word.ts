/**
 * A word without its ending of English inflection. Both sides of a comparison go through it, so
 * crude is enough.
 *
 * @param word lower case; other than a to z it stays as it is
 */
export function stemWord(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  let base = word;
  if (base.endsWith('ies')) base = `${base.slice(0, -3)}y`;
  else if (base.endsWith('sses')) base = base.slice(0, -2);
  else if (/[^su]s$/.test(base)) base = base.slice(0, -1);
  const ending = /(ing|ed)$/.exec(base)?.[0];
  if (ending !== undefined) {
    const rest = base.slice(0, -ending.length);
    if (rest.length >= 3 && /[aeiouy]/.test(rest)) base = rest.replace(/([^aeioulsz])\1$/, '$1');
  }
  if (base.length > 3 && base.endsWith('e')) base = base.slice(0, -1);
  return base.replace(/([^aeiou])y$/, '$1i');
}

/** What every word of a stem begins with: only its last letter may be another one, as in "tries". */
export function stemBeginning(stem: string): string {
  return stem.slice(0, -1);
}
