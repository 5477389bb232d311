import { toolErrorCodes, unknownCode } from '../guest/tool-error-codes.ts';
import { BuildError } from './build-error.ts';
import type { Bundle } from './placed-bundle.ts';

/** The name of the class in a bundle; the bundler may add a number. */
const declarations = /\b(?:var|let|const|class) (ToolError\d*)\b/g;

/**
 * Finds the codes that no `ToolError` has, where they are written down: nothing else checks the
 * types of an author.
 *
 * @throws {BuildError} with the place and the codes that there are
 */
export function checkErrorCodes({ code, placeOf }: Pick<Bundle, 'code' | 'placeOf'>): void {
  const own = code
    .matchAll(declarations)
    .find(({ index }) => placeOf(index)?.file === 'sdk/tool-error.ts')?.[1];
  for (const made of code.matchAll(new RegExp(`\\bnew ${own}\\("([^"\\\\]*)"`, 'g'))) {
    const [, given = ''] = made;
    if (toolErrorCodes.includes(given)) continue;
    const place = placeOf(made.index);
    throw new BuildError(`${place?.file}:${place?.line}: ${unknownCode(given)}`);
  }
}
