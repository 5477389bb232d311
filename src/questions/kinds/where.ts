import { identifiersIn } from '../../lib/text/words.ts';
import { namesIn, placesOf, rankedPassages } from '../drafts.ts';
import type { Kind } from '../kind.ts';

/** The place of something that its words speak of. */
export type WhereReading = { kind: 'where'; name?: string };

export const where: Kind<WhereReading> = {
  fallback: (text, asks) => {
    if (asks !== 'where') return undefined;
    const [name] = identifiersIn(text);
    return { kind: 'where', ...(name === undefined ? {} : { name }) };
  },
  named: ({ names: [name] }) => ({ kind: 'where', ...(name === undefined ? {} : { name }) }),
  plan: ({ name }, mentions) => [
    ...rankedPassages('s1', mentions),
    ...(name === undefined ? [] : [placesOf(name, 30, mentions)]),
    ...namesIn(mentions),
  ],
  applies: () => 'all',
  isLoose: true,
  isOpen: true,
  searches: true,
};
