import type { Intent, Reading } from '../contracts/intent.ts';

/** How an answer without a model is laid out. */
export type AnswerShape = {
  /** what follows, for the head of the answer; by its parts where absent */
  says?: string;
  /** what was looked for and is not there, in front of the head */
  lacks?: string;
  /** first pieces that are shown whole from their first line on, and lines of each */
  whole: { pieces: number; lines: number };
  /** pieces of the first result that lead, whatever scores the others have */
  leads: number;
  /** the first piece begins where its text does: behind pictures and badges, a licence, or imports */
  skips?: 'markup' | 'licence' | 'imports';
  /** listings stand before passages */
  listsFirst?: true;
  /** tools whose places are shown as a line each, in place of passages */
  rows: readonly string[];
};

/** One line says enough of where a name is used. */
const named = ['search.references', 'search.imports', 'search.symbols'];
const usual: AnswerShape = { whole: { pieces: 0, lines: 0 }, leads: 0, rows: [] };
const shown: AnswerShape = { ...usual, whole: { pieces: 1, lines: 60 }, rows: named };
/** Places of a name that nothing defines. */
const places: AnswerShape = { ...usual, rows: ['search.grep'] };
/** Two fit on one screen. */
const beside: AnswerShape = { ...usual, whole: { pieces: 2, lines: 9 } };
const list: AnswerShape = { ...usual, rows: [...named, 'search.grep'] };

const shapes: Readonly<Partial<Record<Reading['kind'], AnswerShape>>> = {
  definition: { ...shown, says: 'the definition and who uses it' },
  file: { ...shown, says: 'the file' },
  changes: { ...shown, says: 'the log of changes' },
  about: {
    ...usual,
    says: 'the README and the layout',
    whole: { pieces: 1, lines: 9 },
    skips: 'markup',
    rows: ['search.manifest'],
  },
  comparison: { ...beside, says: 'definitions of both' },
  value: { ...usual, rows: ['search.values'] },
  members: { ...usual, whole: { pieces: 1, lines: 14 }, leads: 1, listsFirst: true },
  guide: { ...usual, leads: 2 },
  how: { ...usual, leads: 1 },
  collection: { ...list, says: 'the places in code', whole: { pieces: 1, lines: 16 } },
  tests: { ...list, says: 'the tests that hold the name', listsFirst: true },
  references: { ...list, says: 'the places that use it' },
  imports: { ...list, says: 'the imports' },
  outline: { ...list, says: 'definitions' },
  todo: { ...usual, says: 'the marks in comments', rows: ['search.todos'] },
  // Steps that only lead to the commits are not an answer.
  history: { ...usual, rows: ['search.definition'] },
  manifest: { ...usual, says: 'what the manifests say', rows: ['search.manifest'] },
};

/** By the first reading of a question; a plan that had to look wider has the usual one. */
export function shapeOf(intent: Intent, options: { isWidened: boolean }): AnswerShape {
  if (intent.kind !== 'ask') return usual;
  const [reading] = intent.readings;
  if (options.isWidened) {
    if (reading.kind === 'collection' || reading.kind === 'manifest')
      return { ...usual, listsFirst: true };
    if (reading.kind === 'references') return { ...usual, rows: named };
    if (reading.kind !== 'definition') return usual;
    // How something is used that nothing here defines, documents say.
    if (intent.readings.some(({ kind }) => kind === 'guide')) return { ...usual, leads: 2 };
    const isSure = reading.isName && reading.isWord !== true;
    return isSure ? { ...places, lacks: `nothing here defines ${reading.name}` } : places;
  }
  if (reading.kind === 'references' && reading.only === 'heirs')
    return { ...list, says: 'what extends or implements it' };
  const isFlag = reading.kind === 'definition' && reading.name.startsWith('--');
  if (isFlag) return { ...places, says: 'the places that name it' };
  const isWholeFile = reading.kind === 'file' && Object.keys(reading.lines).length === 0;
  if (reading.kind === 'file' && reading.wants === 'purpose')
    return {
      ...{ ...usual, says: 'its beginning and outline', leads: 1, skips: 'imports' },
      ...{ whole: { pieces: 1, lines: 6 }, rows: ['search.symbols'] },
    };
  if (isWholeFile) return { ...shown, ...shapes.file, skips: 'licence' };
  return shapes[reading.kind] ?? (intent.mentions.wantsWhole ? shown : usual);
}
