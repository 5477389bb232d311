import { resolve } from 'node:path';
import { root } from '../../support/run-cuervo.ts';

export { program as cuervo, root } from '../../support/run-cuervo.ts';
export const guestsFolder = resolve(import.meta.dirname, '../guests');
export const bundlesFolder = resolve(import.meta.dirname, '../bundles');
/** Built guests, by the digest of what they are built from; also where a copy finds them. */
export const cacheFolder = resolve(root, 'node_modules/.cache/cuervo-escape');
