/** What a person or a model writes for a place, as the host wants it: `./src/` is `src`, nothing is the workspace. */
export function host(path: string | undefined): string {
  const plain = (path ?? '')
    .trim()
    .replace(/^(?:\.\/)+/, '')
    .replace(/(.)\/+$/, '$1');
  return plain === '' || plain === '.' ? 'work:' : plain;
}

/** Paths are shown relative to the workspace; those of other roots keep their root's name. */
export function shown(path: string): string {
  return path.startsWith('work:') ? path.slice('work:'.length) || '.' : path;
}
