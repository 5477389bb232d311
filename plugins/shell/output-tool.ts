import { defineTool, HostError, kv, ToolError, v } from '@cuervo/sdk';
import { cutMiddle } from './cut-middle.ts';
import { keepOutput, readOutput } from './keep-output.ts';

/** Characters that one call hands back. */
const maxShownLength = 60_000;

/**
 * A text as it is shown: of a long one the middle is left out and the whole is kept under an id.
 * Where it cannot be kept it is shown all the same, with the reason.
 */
export function shownOutput(
  text: string,
  maxLength = maxShownLength,
): { text: string; kept?: string; notKept?: string } {
  if (text.length <= maxLength) return { text };
  const cut = cutMiddle(text, maxLength);
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
      v.regex(/^[0-9a-f]{16}$/, 'is no id of an output'),
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
    const text = readOutput(kv, id);
    if (text === undefined) {
      throw new ToolError('not-found', `no output ${id} is kept any more; run the command again`);
    }
    const all = text.split('\n');
    const wanted = all
      .map((line, at) => ({ line: at + 1, text: line }))
      .slice(start - 1, end)
      .filter((line) => holds === undefined || line.text.includes(holds));
    const lines: string[] = [];
    let length = 0;
    for (const { line, text: shown } of wanted) {
      length += shown.length + 8;
      if (length > maxShownLength) break;
      lines.push(`${line}: ${shown}`);
    }
    const more =
      lines.length < wanted.length
        ? { cut: `${wanted.length - lines.length} more lines; narrow start and end` }
        : {};
    return {
      content: { lines: lines.join('\n'), totalLines: all.length, ...more },
      summary: `${lines.length} of ${all.length} lines`,
    };
  },
});
