import { withoutUndefined } from '../../lib/without-undefined.ts';
import { below } from '../drafts.ts';
import type { Kind } from '../kind.ts';

export type ComplexityReading = { kind: 'complexity'; path?: string; by?: 'lines' };

export const complexity: Kind<ComplexityReading> = {
  form: ({ text, path, plain }) =>
    mostComplex.test(plain)
      ? {
          kind: 'complexity',
          ...withoutUndefined({ path }),
          ...(/\blong(?:est|er)\b|\blines\b/i.test(text) ? { by: 'lines' } : {}),
        }
      : undefined,
  rows: [
    {
      names: 'nothing',
      all: ['largest biggest longest', 'function functions method methods'],
      also: `code lines top sorted by 3 5 10 15 20 50 three five ten`,
      reads: () => ({ kind: 'complexity', by: 'lines' }),
    },
  ],
  named: () => ({ kind: 'complexity' }),
  plan: ({ path, by }, mentions) => [
    {
      tool: 'search.complexity',
      input: { limit: 20, ...below(mentions), ...withoutUndefined({ path, by }) },
    },
  ],
};

const mostComplex =
  /^\s*(?:please\s+)?(?:(?:show|list|find|give)(?: me)?|what(?:'s| is| are)?|which)\b.*\b(?:most complex|most complicated|longest|longer than|hardest(?: to read)?|deepest|highest (?:cyclomatic )?complexity)\b.*\b(?:functions?|methods?|code)\b|\bcyclomatic\b|^\s*how complex is\b|\b(?:functions?|methods?)\b.*\b(?:most complex|too complex|longest|hardest to read|(?:longer|larger|bigger|more) than)\b/i;
