import { createRequire } from 'node:module';

/**
 * LanceDB requires Arrow: an import would load it once more, as modules, and its classes twice.
 * package.json says where it is, for the sources and for the bundles.
 */
export function loadArrow(): typeof import('apache-arrow') {
  return createRequire(import.meta.url)('#arrow');
}
