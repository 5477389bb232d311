import { pathsIn, quotedIn } from '../../lib/text/words.ts';
import { type Draft, definitionOf, from, inDocuments } from '../drafts.ts';
import type { Kind } from '../kind.ts';

/** Two definitions, or two files, beside each other. */
export type ComparisonReading = {
  kind: 'comparison';
  names: readonly [string, string];
  areFiles?: true;
};

export const comparison: Kind<ComparisonReading> = {
  form: ({ text, workspace }) => {
    if (text.includes('\n') || !compares.test(text)) return undefined;
    const isFile = (path: string) => /\/|[^/.]\.\w+$/.test(path) && !workspace.hasFolder(path);
    const quoted = quotedIn(text).filter(isFile);
    const [one, other] = quoted.length > 1 ? quoted : pathsIn(text).filter(isFile);
    if (one === undefined || other === undefined) return undefined;
    return { kind: 'comparison', names: [one, other], areFiles: true };
  },
  rows: [
    {
      names: 'two names',
      all: [
        'difference differences differ different differs compare comparison versus vs distinguish',
      ],
      also: 'between explain main',
      reads: ({ name, second, bag }) =>
        areBeside(bag.question, name, second)
          ? { kind: 'comparison', names: [name, likeFirst(name, second)] }
          : undefined,
    },
  ],
  named: ({ names: [one, other] }) =>
    one === undefined || other === undefined
      ? undefined
      : { kind: 'comparison', names: [one, other] },
  plan: ({ names, areFiles }, mentions) => {
    if (areFiles === true) return [...besideFile(names[0], 's1'), ...besideFile(names[1], 's4')];
    return [...names.map((name) => definitionOf(name, 1, mentions)), inDocuments(mentions, 2)];
  },
  // Two fit on one screen.
  shape: ({ areFiles }, { isWidened }) => {
    if (isWidened) return {};
    const shape = { whole: { pieces: 2, lines: 9 }, says: 'definitions of both' };
    return areFiles === true
      ? { ...shape, says: 'the beginning and the outline of both', rows: ['search.symbols'] }
      : shape;
  },
};

const compares = /\b(?:compare[ds]?|comparison|differ(?:s|ent|ences?)?|vs\.?|versus)\b/i;

function besideFile(path: string, found: string): Draft[] {
  const file = from(found, '/paths/0');
  return [
    { tool: 'file.find', input: { pattern: path, limit: 5 } },
    { tool: 'file.read', input: { path: file, start: 1, end: 9 } },
    { tool: 'search.symbols', input: { path: file, limit: 50 } },
  ];
}

/** `A and B`, `the A class vs. B`. */
function areBeside(question: string, one: string, other: string): boolean {
  const text = question.toLowerCase();
  const behind = text.indexOf(one.toLowerCase()) + one.length;
  const between = text.slice(behind, text.indexOf(other.toLowerCase(), behind));
  return /^[\s"'`()]*(?:\w+\s+)?(?:and|vs\.?|versus|with|to|from|or|than)\s+(?:(?:an?|the)\s+)?(?:\w+\s+)?["'`]?$/i.test(
    between,
  );
}

/** `FuzzyMatchV1 and v2`: the second one is called as the first, but for its number. */
function likeFirst(name: string, second: string): string {
  const number = /^v?(\d+)$/i.exec(second)?.[1];
  return number === undefined ? second : name.replace(/\d+$/, number);
}
