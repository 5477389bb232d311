import { largest } from '../lib/numbers.ts';

type Shape = Record<string, unknown>;

/**
 * The note on a list that was cut: `the first 100 of 218`, or that there are more when the total is
 * unknown; undefined for a whole list.
 *
 * @param content of the result that is shown
 * @param before contents of the results it was made from: one of them may have been a cut list
 */
export function cutNote(content: unknown, before: readonly unknown[]): string | undefined {
  const list = listOf(content);
  if (list === undefined) return undefined;
  const sources = [content, ...before.filter((fed) => isOf(list, listOf(fed)))] as Shape[];
  const totals = sources.flatMap(({ total }) => (typeof total === 'number' ? [total] : []));
  const total = largest(totals, 0);
  if (total > list.length) return `the first ${list.length} of ${total}`;
  const isCut = sources.some(({ truncated, cut }) => Boolean(truncated) || Boolean(cut));
  return isCut ? 'cut: there are more' : undefined;
}

function listOf(content: unknown): unknown[] | undefined {
  if (typeof content !== 'object' || content === null) return undefined;
  return Object.values(content).find(Array.isArray);
}

/** Whether the items of a list name the paths of another list. */
function isOf(list: readonly unknown[], paths: readonly unknown[] | undefined): boolean {
  if (paths === undefined || list.length === 0 || paths.length < list.length) return false;
  return list.every((item, at) => (item as Shape | null)?.path === paths[at]);
}
