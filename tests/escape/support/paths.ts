import { resolve } from 'node:path';

/** The folder of package.json: of the clone, or of the copy in which a defence was taken away. */
export const root = resolve(import.meta.dirname, '../../..');
export const guestsFolder = resolve(import.meta.dirname, '../guests');
export const bundlesFolder = resolve(import.meta.dirname, '../bundles');
export const cuervo = resolve(root, 'dist/cuervo.cjs');
/** Built guests, by the digest of what they are built from; also where a copy finds them. */
export const cacheFolder = resolve(root, 'node_modules/.cache/cuervo-escape');
