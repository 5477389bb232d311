/**
 * A path of the workspace as tools take and print it: a name with a colon in front keeps its root,
 * for tools would take `a:b.md` for `b.md` of a root `a`.
 */
export function toolPath(path: string): string {
  return /^[^/]*:/.test(path) ? `work:${path}` : path;
}

/** The same back again; a path of another root stays as it is. */
export function workspacePath(path: string): string {
  return path.replace(/^work:/, '');
}
