import { fs, paths, ToolError, v } from '@cuervo/sdk';
import { counted } from './counted.ts';
import { EditError } from './edit-text.ts';
import type { Change } from './show-change.ts';

/** Bytes of a file that can be edited; a write takes no more, either. */
export const maxEditBytes = 4 * 1024 * 1024;

export const path = v.pipe(
  v.string(),
  v.description('relative to the workspace, e.g. src/index.ts'),
);
export const existing = v.pipe(
  v.string(),
  v.description('existing file, relative to the workspace, e.g. src/index.ts'),
);
export const expectHash = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^[0-9a-f]{64}$/, 'is not a SHA-256'),
    v.description('SHA-256 of the file as it was read; another one now is a conflict'),
  ),
);

/**
 * All of a file and its hash.
 *
 * @param expected its hash when it was read
 * @param maxBytes that of an edit, or more for what is only read
 * @throws {ToolError} `limit` for a longer file, `conflict` for another hash
 */
export function readWhole(
  place: string,
  expected?: string,
  maxBytes = maxEditBytes,
): { text: string; hash: string } {
  const { text, hash, truncated } = fs.readText(place, maxBytes);
  if (truncated) {
    throw new ToolError('limit', `${paths.shown(place)} has more than ${maxBytes} bytes`);
  }
  if (expected !== undefined && expected !== hash) {
    throw new ToolError(
      'conflict',
      `${paths.shown(place)} has changed since it was read; read it again`,
    );
  }
  return { text, hash };
}

/** The result of a tool that changed one file. */
export function changed(place: string, change: Change, isNew: boolean) {
  const shown = paths.shown(place);
  const { hash } = fs.readText(place, 0);
  const counts = `${counted(change.added, 'line')} added, ${change.removed} removed`;
  return {
    content: { path: shown, hash, created: isNew, ...change },
    summary: `${shown} ${isNew ? 'created' : 'changed'}: ${counts}`,
  };
}

/** Runs an edit; its `EditError` becomes the tool's, with a message told in other words. */
export function asToolError<Value>(
  edit: () => Value,
  explain: (message: string) => string = (message) => message,
): Value {
  try {
    return edit();
  } catch (thrown) {
    if (thrown instanceof EditError) throw new ToolError(thrown.code, explain(thrown.message));
    throw thrown;
  }
}
