import type { fs } from '@cuervo/sdk';

/** What the ranking asks of the host: one tally of the tree, one scan for messages, a walk and a scan for what a long text mentions, then the best files. */
export type PassageFs = Pick<typeof fs, 'tally' | 'scan' | 'walk' | 'unsearched' | 'readAnyText'>;
