import { foldPath } from '../../contracts/protected-names.ts';
import { compilePattern } from '../../lib/files/path-pattern.ts';

/**
 * The entries of a root as they read from a folder in it: git knows paths from the top of a work
 * tree, which may lie below the root.
 *
 * @param entries of one root, as `createContentGate` takes them
 * @param top of the work tree, below the root
 */
export function entriesBelow(entries: readonly string[], top: readonly string[]): string[] {
  if (top.length === 0) return [...entries];
  const folder = `${top.join('/')}/`;
  return entries.flatMap((entry) => {
    const tag = /^:\w+ /.exec(entry)?.[0];
    if (tag === undefined) return entry.startsWith(folder) ? [entry.slice(folder.length)] : [];
    const pattern = entry.slice(tag.length);
    // A slash before its end ties a pattern to the root.
    if (!pattern.replace(/\/$/, '').includes('/')) return [entry];
    return rest(pattern.replace(/^\//, '').split('/'), top).map((left) => `${tag}/${left}`);
  });
}

/** What is left of a pattern behind a folder; more than one where `**` may end here or there. */
function rest(pattern: readonly string[], folder: readonly string[]): string[] {
  const [first, ...others] = pattern;
  const [name, ...below] = folder;
  if (name === undefined) return pattern.length === 0 ? [] : [pattern.join('/')];
  if (first === undefined) return [];
  if (first === '**') return [...rest(others, folder), ...rest(pattern, below)];
  return compilePattern(first, foldPath).names(foldPath(name).split('/'))
    ? rest(others, below)
    : [];
}
