import { defineTool, HostError, kv, ToolError, v } from '@cuervo/sdk';
import { cutMiddle } from './cut-middle.ts';
import { hostLines } from './host-output.ts';
import { keepOutput, readOutput } from './keep-output.ts';

/** Characters that one call hands back. */
const maxShownLength = 60_000;

/**
 * A text as it is shown: of a long one the middle is left out and the whole is kept under an id.
 * Where it cannot be kept it is shown all the same, with the reason.
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
      v.regex(/^(?:[0-9a-f]{16}|[0-9a-f]{64})$/, 'is no id of an output'),
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
    const all = id.length === 64 ? hostLines(kv, id) : readOutput(kv, id)?.split('\n');
    if (all === undefined) {
      throw new ToolError('not-found', `no output ${id} is kept any more; run the command again`);
    }
    const lines: string[] = [];
    let length = 0;
    let total = 0;
    let left = 0;
    for (const text of all) {
      total += 1;
      if (total < start || (end !== undefined && total > end)) continue;
      if (holds !== undefined && !text.includes(holds)) continue;
      // One line alone may be longer than what is shown.
      const shown = `${total}: ${cutMiddle(text, maxShownLength)}`;
      length += shown.length + 1;
      if (left > 0 || (length > maxShownLength && lines.length > 0)) left += 1;
      else lines.push(shown);
    }
    const more = left === 0 ? {} : { cut: `${left} more lines; narrow start and end` };
    return {
      content: { lines: lines.join('\n'), totalLines: total, ...more },
      summary: `${lines.length} of ${total} lines`,
    };
  },
});
