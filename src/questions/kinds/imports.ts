import { type Draft, from, pathOf } from '../drafts.ts';
import type { Kind } from '../kind.ts';
import { asList } from '../shape.ts';
import { isFile } from '../words/word-bag.ts';

export type ImportsReading = { kind: 'imports'; path: string; direction: 'imports' | 'importedBy' };

export const imports: Kind<ImportsReading> = {
  form: ({ path, plain }) => {
    if (path === undefined || !isFile(path)) return undefined;
    if (imported.test(plain)) return { kind: 'imports', path, direction: 'imports' };
    return importedBy.test(plain) ? { kind: 'imports', path, direction: 'importedBy' } : undefined;
  },
  named: (mentions) =>
    pathOf(mentions, (path) => ({ kind: 'imports', path, direction: 'importedBy' })),
  plan: ({ path, direction }) => [
    { tool: 'file.find', input: { pattern: path, limit: 5 } },
    importsOf('s1', direction),
  ],
  shape: ({ path, direction }, { isWidened }) =>
    isWidened
      ? {}
      : {
          rows: asList,
          says: direction === 'imports' ? `the imports of ${path}` : `what imports ${path}`,
        },
};

export const importedBy =
  /^\s*(?:(?:who|what|which \w+)\s+(?:else\s+)?(?:imports?|includes?|requires?|depends? on|uses?)\b|(?:who|what) calls a\.b\b|.*\b(?:dependents|importers) of\b|where is\b.*\bimported\b|where is a\.b used\b)/i;
const imported =
  /^\s*(?:what|which \w+)\s+(?:does|do|is|are)\b.*\b(?:import|imports|imported by|include|require|depend on)\b|\b(?:dependencies|imports) of\b|^\s*(?:what|which) (?:dependencies|imports) (?:does|do|has) ["'`]?a\.b\b/i;

export function importsOf(step: string, direction: ImportsReading['direction']): Draft {
  return { tool: 'search.imports', input: { path: from(step, '/paths/0'), direction } };
}
