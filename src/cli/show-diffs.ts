import type { FileDiff } from '../kernel/changes/undo-commands.ts';
import type { Kernel } from '../kernel.ts';
import { counted } from '../lib/text/amounts.ts';
import { looksBinary } from '../lib/text/decode-text.ts';
import { escapeTerminal } from '../lib/text/escape.ts';
import { note, oneLine } from './output.ts';
import { diffLine } from './style.ts';

export async function showDiffs(
  diffs: readonly FileDiff[],
  stream: 'stdout' | 'stderr',
): Promise<void> {
  const { createTwoFilesPatch } = await import('diff');
  const write = (text: string) => process[stream].write(`${text}\n`);
  for (const change of diffs) {
    const { path, before, after, modes } = change;
    const shown = oneLine(path);
    if (change.isBeforeLost) {
      note(`${shown}: its old content is no longer kept`);
      continue;
    }
    if (change.isAfterLost) {
      note(`${shown}: something else changed it since; the content after the run is not kept`);
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
    const lines = escapeTerminal(patch.replace(/^=+\n/, '').replace(/\n$/, '')).split('\n');
    write(lines.map((line) => diffLine(line, stream)).join('\n'));
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

/**
 * Shows the changes of a dry run and the command that applies them. A dry run without changes is
 * forgotten. With `--json` standard output belongs to the events, so only notes are written.
 */
export async function showDryRun(
  kernel: Kernel,
  run: string | undefined,
  flags: { json?: boolean },
): Promise<void> {
  // A run that ended before its first step has nothing to show.
  if (run === undefined || !kernel.apply.runs().some((row) => row.run === run)) return;
  const { steps, left } = await kernel.apply.plan(run);
  for (const { path, why } of left) note(`not applied: ${oneLine(path)}: ${why}`);
  if (steps.length === 0) {
    note('dry run: no file would be changed');
    kernel.apply.discard(run);
    return;
  }
  if (!flags.json) await showDiffs(await kernel.apply.diff(run), 'stdout');
  const paths = counted(steps.length, 'path');
  note(`dry run: ${paths} would be changed; make the change with: cuervo apply ${run}`);
}
