/** What stands in front of the first colon of these is taken for a root. */
const leadsToRoot = /^[^/]*:/;

/** What a person or a model writes for a place, as the host wants it: `./src/` is `src`, nothing is the workspace. */
export function host(path: string | undefined): string {
  const plain = (path ?? '')
    .trim()
    .replace(/^(?:\.\/)+/, '')
    .replace(/(.)\/+$/, '$1');
  if (plain === '' || plain === '.') return 'work:';
  // `./a:b` is a file of that name, whatever root `a` may be.
  return /^\s*\.\//.test(path ?? '') && leadsToRoot.test(plain) ? `work:${plain}` : plain;
}

/**
 * Paths are shown relative to the workspace; those of other roots keep their root's name, and so
 * does `work:a:b.md`, which would be taken for `b.md` of a root `a`.
 */
export function shown(path: string): string {
  if (!path.startsWith('work:')) return path;
  const below = path.slice('work:'.length);
  return leadsToRoot.test(below) ? path : below || '.';
}
