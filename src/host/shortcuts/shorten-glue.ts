import { byteCall } from './byte-call.ts';
import { countBytes } from './count-bytes.ts';
import { plainExports } from './plain-exports.ts';
import { plainImports } from './plain-imports.ts';

/** The transpiler whose glue the changes below were written for. */
export const knownTranspiler = '0.15.0';

/**
 * Glue that does the same with less work. Glue of another version of the transpiler stays as it is,
 * and so does glue that a change cannot read.
 *
 * @param glue a module as the transpiler makes it
 * @param transpiler its version; empty takes no shortcut
 */
export function shortenGlue(glue: string, transpiler: string): string {
  if (transpiler !== knownTranspiler) return glue;
  return [plainImports, plainExports, countBytes, byteCall].reduce(attempt, glue);
}

function attempt(glue: string, change: (glue: string) => string): string {
  try {
    return change(glue);
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return glue;
  }
}
