import type { AnswerShape } from '../contracts/questions.ts';

/** Where a name is used says enough on one line. */
export const named = ['search.references', 'search.imports', 'search.symbols'];
export const asList = [...named, 'search.grep'];
export const usual: AnswerShape = { whole: { pieces: 0, lines: 0 }, leads: 0, rows: [] };
export const asShown: Pick<AnswerShape, 'whole' | 'rows'> = {
  whole: { pieces: 1, lines: 60 },
  rows: named,
};

/** What is said where a file of that name is not there. */
export function noFile(path: string): NonNullable<AnswerShape['none']> {
  return {
    text: `there is no file ${path}`,
    hint: 'It was looked for by name in all folders, without ignored ones. For files whose text speaks of it: cuervo ask --as how "…"',
  };
}
