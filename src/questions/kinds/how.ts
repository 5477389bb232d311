import { inDocuments, namesIn, rankedPassages } from '../drafts.ts';
import type { Kind } from '../kind.ts';

/** Anything: passages that hold the words of the question. */
export type HowReading = { kind: 'how' };

/** Words that a heading may have all of. */
const wordsOfHeading = 3;

export const how: Kind<HowReading> = {
  fallback: () => ({ kind: 'how' }),
  named: () => ({ kind: 'how' }),
  plan: (_, mentions) => [
    ...rankedPassages('s1', mentions),
    // What little is named may be what a section is about.
    ...(mentions.words.length <= wordsOfHeading ? [inDocuments(mentions, 3)] : []),
    ...namesIn(mentions),
  ],
  shape: (_, { isWidened }) => ({
    ...(isWidened ? {} : { leads: 1 }),
    documentsExplain: true,
  }),
  applies: () => 'all',
  isLoose: true,
  isOpen: true,
  searches: true,
};
