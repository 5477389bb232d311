import { defineTool, HostError, kv, ToolError, v } from '@cuervo/sdk';
import { cutMiddle } from './cut-middle.ts';
import { hostLines } from './host-output.ts';
import { keepOutput, readOutput } from './keep-output.ts';

/** Characters that one call hands back. */
const maxShownLength = 60_000;
/** Characters that one call looks through: some five seconds. */
const maxReadLength = 8_000_000;

/**
 * A text as it is shown: of a long one the middle is left out and the whole is kept under an id.
 * Where it cannot be kept it is shown anyway, with the reason.
 *
 * @param whole id under which the host keeps all of it
 */
export function shownOutput(
  text: string,
  { maxLength = maxShownLength, whole }: { maxLength?: number; whole?: string | undefined } = {},
): { text: string; kept?: string; notKept?: string } {
  if (text.length <= maxLength) return { text };
  const cut = cutMiddle(text, maxLength);
  if (whole !== undefined) return { text: cut, kept: whole };
  try {
    return { text: cut, kept: keepOutput(kv, text) };
  } catch (thrown) {
    if (!(thrown instanceof HostError)) throw thrown;
    return { text: cut, notKept: thrown.message };
  }
}

export const output = defineTool({
  name: 'output',
  description:
    'Lines of a long output of run or run-tests, of which only both ends were shown. Takes the id that came with it, and lines or a text to look for.',
  effect: 'read',
  input: v.object({
    id: v.pipe(
      v.string(),
      v.regex(/^(?:[0-9a-f]{16}|[0-9a-f]{64})$/, 'is not an id of an output'),
      v.description('from "kept" of the result'),
    ),
    start: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.description('first line'))),
    end: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.description('last line'))),
    holds: v.optional(
      v.pipe(v.string(), v.minLength(1, 'is empty'), v.description('only lines with this text')),
    ),
  }),
  examples: [
    { id: '0123456789abcdef', start: 200, end: 260 },
    { id: '0123456789abcdef', holds: 'error' },
  ],
  run: ({ id, start = 1, end, holds }) => {
    const all =
      id.length === 64
        ? hostLines(kv, id, start)
        : readOutput(kv, id)
            ?.split('\n')
            .slice(start - 1);
    if (all === undefined) {
      throw new ToolError('not-found', `output ${id} is no longer kept; run the command again`);
    }
    const lines: string[] = [];
    let [length, read, line] = [0, 0, start - 1];
    let more = {};
    for (const text of all) {
      if (line === end) break;
      read += text.length + 1;
      // One line alone may be longer than what is shown.
      const shown = `${line + 1}: ${cutMiddle(text, maxShownLength)}`;
      const isWanted = holds === undefined || text.includes(holds);
      if (isWanted) length += shown.length + 1;
      if (lines.length > 0 && (length > maxShownLength || read > maxReadLength)) {
        more = { cut: `there may be more; go on with start ${line + 1}` };
        break;
      }
      line += 1;
      if (isWanted) lines.push(shown);
      else if (read > maxReadLength) {
        more = { cut: `none up to line ${line}; go on with start ${line + 1}` };
        break;
      }
    }
    return {
      content: { lines: lines.join('\n'), ...more },
      summary: `${lines.length} lines, up to line ${line}`,
    };
  },
});
