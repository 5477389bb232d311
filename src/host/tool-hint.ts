import type { ErrorCode } from '../contracts/error.ts';

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
      return `Look again at what it works on; what it takes: ${usage}`;
    case 'resource-exhausted':
      return `${raisedBy(message)}; what it takes: ${usage}`;
    case 'unavailable':
      // A tool that works without what it says is missing does not say so.
      return 'Bring what the tool says is missing, then run it again.';
    default:
      return undefined;
  }
}

/** Few limits of a tool are the user's to raise. */
function raisedBy(message: string): string {
  const key = message.includes('(limits.max-result-bytes)')
    ? 'max-result-bytes'
    : message.endsWith('out of memory')
      ? 'max-memory-bytes'
      : message.endsWith('host calls in one tool call')
        ? 'max-host-calls'
        : undefined;
  return key === undefined
    ? 'Ask for less at once'
    : `Ask for less, or raise limits.${key} in config.toml`;
}
