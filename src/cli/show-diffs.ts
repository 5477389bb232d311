import type { FileDiff } from '../kernel/undo-commands.ts';
import { escapeTerminal } from '../lib/escape-terminal.ts';
import { looksBinary } from '../lib/looks-binary.ts';
import { note, oneLine } from './output.ts';

/**
 * Shows what became of files as unified diffs.
 *
 * @param write prints one text, lines and all
 */
export async function showDiffs(
  diffs: readonly FileDiff[],
  write: (text: string) => void,
): Promise<void> {
  const { createTwoFilesPatch } = await import('diff');
  for (const change of diffs) {
    const { path, before, after, modes } = change;
    const shown = oneLine(path);
    if (change.isBeforeLost) {
      note(`${shown}: what it was before is not kept any more`);
      continue;
    }
    if (change.isAfterLost) {
      note(`${shown}: changed by something else since; what the run left is not kept`);
      continue;
    }
    if (modes !== undefined) write(`${shown}: mode ${modes.join(' -> ')}`);
    if (isSame(before, after)) continue;
    if (isBinary(before) || isBinary(after)) {
      write(`Binary file ${shown} differs`);
      continue;
    }
    const [from, to] = names(shown, change);
    const patch = createTwoFilesPatch(from, to, textOf(before), textOf(after), '', '');
    write(escapeTerminal(patch.replace(/^=+\n/, '').trimEnd()));
  }
}

function names(path: string, { before, after }: FileDiff): [string, string] {
  const nothing = '/dev/null';
  return [
    before === undefined ? nothing : `a/${path}`,
    after === undefined ? nothing : `b/${path}`,
  ];
}

function isSame(before: Uint8Array | undefined, after: Uint8Array | undefined): boolean {
  return before !== undefined && after !== undefined && Buffer.compare(before, after) === 0;
}

function textOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : Buffer.from(bytes).toString('utf8');
}

function isBinary(bytes: Uint8Array | undefined): boolean {
  return bytes !== undefined && looksBinary(bytes);
}
