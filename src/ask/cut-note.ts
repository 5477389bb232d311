type Shape = Record<string, unknown>;

/**
 * What is to be said of a list that is not all there is: `the first 100 of 218`, or that there are
 * more where nothing says how many; undefined for a whole one.
 *
 * @param content of the result that is shown
 * @param before contents of those that it was made of: one may have fed it a list that was cut
 */
export function cutNote(content: unknown, before: readonly unknown[]): string | undefined {
  const list = listOf(content);
  if (list === undefined) return undefined;
  const sources = [content, ...before.filter((fed) => isOf(list, listOf(fed)))] as Shape[];
  const totals = sources.flatMap(({ total }) => (typeof total === 'number' ? [total] : []));
  const total = Math.max(0, ...totals);
  if (total > list.length) return `the first ${list.length} of ${total}`;
  const isCut = sources.some(({ truncated, cut }) => Boolean(truncated) || Boolean(cut));
  return isCut ? 'cut: there are more' : undefined;
}

function listOf(content: unknown): unknown[] | undefined {
  if (typeof content !== 'object' || content === null) return undefined;
  return Object.values(content).find(Array.isArray);
}

/** Whether a list tells, item by item, of the paths of another. */
function isOf(list: readonly unknown[], paths: readonly unknown[] | undefined): boolean {
  if (paths === undefined || list.length === 0 || paths.length < list.length) return false;
  return list.every((item, at) => (item as Shape | null)?.path === paths[at]);
}
