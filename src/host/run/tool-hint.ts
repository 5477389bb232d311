import type { ErrorCode } from '../../contracts/error.ts';

/**
 * What to look at where a tool said that it could not. Its message is the reason, in its own
 * words; a hint can only be true for all of them.
 *
 * @param tool in full, as `file.read`
 * @returns undefined where the code alone says what to do
 */
export function toolHint(tool: string, code: ErrorCode, message: string): string | undefined {
  const usage = `cuervo tools ${tool}`;
  switch (code) {
    case 'invalid-argument':
    case 'not-found':
    case 'tool-failed':
      return `See what it takes with: ${usage}`;
    case 'conflict':
      return `Check what it works on; see what it takes with: ${usage}`;
    case 'resource-exhausted':
      // The one limit of a tool that config.toml can raise.
      return message.includes('(limits.max-result-bytes)')
        ? `Ask for less, or raise limits.max-result-bytes in config.toml; see what it takes with: ${usage}`
        : `Ask for less at once; see what it takes with: ${usage}`;
    case 'unavailable':
      // A tool that works without what it says is missing does not say so.
      return 'Provide what the tool says is missing, then run it again.';
    default:
      return undefined;
  }
}
