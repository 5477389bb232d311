import { definitionOf, inDocuments } from '../drafts.ts';
import type { Kind } from '../kind.ts';

/** Two definitions beside each other. */
export type ComparisonReading = { kind: 'comparison'; names: readonly [string, string] };

export const comparison: Kind<ComparisonReading> = {
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
  plan: ({ names }, mentions) => [
    ...names.map((name) => definitionOf(name, 1, mentions)),
    inDocuments(mentions, 2),
  ],
  // Two fit on one screen.
  shape: (_, { isWidened }) =>
    isWidened ? {} : { whole: { pieces: 2, lines: 9 }, says: 'definitions of both' },
};

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
