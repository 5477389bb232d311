import spoken from './spoken-questions.json' with { type: 'json' };

const longestQuestion = 400;
const rules = spoken.map(([pattern = '', english = '']) => ({
  pattern: new RegExp(pattern, 'iu'),
  english,
}));

/**
 * The English words of a question of a known form in German, Spanish, French, Portuguese, Chinese or
 * Japanese, names as they stand. All other texts stay as they are.
 */
export function toEnglish(question: string): string {
  if (question.length > longestQuestion) return question;
  const text = question.trim();
  const rule = rules.find(({ pattern }) => pattern.test(text));
  return rule === undefined ? question : text.replace(rule.pattern, rule.english);
}
