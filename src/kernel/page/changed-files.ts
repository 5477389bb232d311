import { looksBinary } from '../../lib/text/decode-text.ts';
import type { PageChange } from '../../page/views.ts';
import type { FileDiff } from '../changes/undo-commands.ts';

/** Of one run, and lines of one file: more is for `cuervo runs diff`. */
const maxFiles = 50;
const maxLines = 400;
/** Larger texts take seconds to compare. */
const maxBytes = 512 * 1024;

/** What a run changed, as unified diffs. @param isProtected what is named and not shown */
export async function changedFiles(
  diffs: readonly FileDiff[],
  isProtected: (path: string) => boolean,
): Promise<{ changes: PageChange[]; changesLeftOut: number }> {
  const { createTwoFilesPatch } = await import('diff');
  const changes = diffs.slice(0, maxFiles).map((change): PageChange => {
    const { path, before, after, modes } = change;
    const note = isProtected(path) ? 'a protected name: its content is not shown' : noteOf(change);
    if (note !== undefined) return { path, note };
    const mode = modes === undefined ? [] : [`mode ${modes.join(' -> ')}`];
    const patch = createTwoFilesPatch(
      before === undefined ? '/dev/null' : `a/${path}`,
      after === undefined ? '/dev/null' : `b/${path}`,
      textOf(before),
      textOf(after),
      '',
      '',
    );
    const lines = patch.replace(/^=+\n/, '').replace(/\n$/, '').split('\n');
    const rest = lines.length - maxLines;
    const cut = rest > 0 ? [`… ${rest} more lines`] : [];
    return { path, patch: [...mode, ...lines.slice(0, maxLines), ...cut].join('\n') };
  });
  return { changes, changesLeftOut: Math.max(0, diffs.length - maxFiles) };
}

function noteOf({ before, after, isBeforeLost, isAfterLost }: FileDiff): string | undefined {
  if (isBeforeLost) return 'its old content is no longer kept';
  if (isAfterLost) return 'something else changed it since; what the run left is not kept';
  const bytes = [before, after].filter((each) => each !== undefined);
  if (bytes.some((each) => looksBinary(each))) return 'binary';
  return bytes.some(({ length }) => length > maxBytes)
    ? 'too large to be compared here'
    : undefined;
}

function textOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : Buffer.from(bytes).toString('utf8');
}
