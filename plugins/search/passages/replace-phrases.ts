import table from './replace-phrases.json' with { type: 'json' };

/**
 * Turns of speech whose words each mean something else, in all their forms, and the words to
 * look for instead; an empty text drops the turn.
 */
const meant = new Map<string, string>();
for (const [said, words] of Object.entries(table)) {
  for (const phrase of said.split('|')) meant.set(phrase, words);
}
const longestFirst = [...meant.keys()].sort((left, right) => right.length - left.length);
const anyPhrase = new RegExp(
  `\\b(?:${longestFirst.map((phrase) => phrase.replaceAll(' ', '\\s+')).join('|')})\\b`,
  'gi',
);

/** A question with such turns replaced; what it quotes is changed as well. */
export function replacePhrases(question: string): string {
  return question.replace(anyPhrase, (found) => {
    const words = meant.get(found.toLowerCase().replace(/\s+/g, ' '));
    return words ?? found;
  });
}
