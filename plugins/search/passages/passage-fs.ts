import type { fs } from '@cuervo/sdk';

/** What the ranking asks of the host: one tally of the tree, one scan for messages, then the best files. */
export type PassageFs = Pick<typeof fs, 'tally' | 'scan' | 'unsearched' | 'readAnyText'>;
