import { splitLines } from './cut-lines.ts';

const contextLines = 2;
/** Lines of a diff that are shown; a summary is not a place for a file. */
const maxShown = 40;

/** What changed, as one hunk of a unified diff, and how many lines came and went. */
export type Change = { added: number; removed: number; diff: string };

/**
 * The difference of two texts from their first line that differs to their last: one hunk, also
 * where several places changed.
 */
export function showChange(before: string, after: string): Change {
  const old = splitLines(before);
  const fresh = splitLines(after);
  const most = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < most && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) {
    tail += 1;
  }
  const removed = old.slice(head, old.length - tail);
  const added = fresh.slice(head, fresh.length - tail);
  const from = Math.max(0, head - contextLines);
  const above = old.slice(from, head);
  const below = old.slice(old.length - tail, old.length - tail + contextLines);
  const count = (lines: readonly string[]) => above.length + lines.length + below.length;
  const header = `@@ -${from + 1},${count(removed)} +${from + 1},${count(added)} @@`;
  const lines = [
    ...above.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...below.map((line) => ` ${line}`),
  ];
  return {
    added: added.length,
    removed: removed.length,
    diff: [header, ...cutMiddle(lines)].join('\n'),
  };
}

function cutMiddle(lines: readonly string[]): string[] {
  if (lines.length <= maxShown) return [...lines];
  const half = maxShown / 2;
  const left = lines.length - maxShown;
  return [...lines.slice(0, half), `… ${left} lines are not shown …`, ...lines.slice(-half)];
}
