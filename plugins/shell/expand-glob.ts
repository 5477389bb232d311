/** What lies below a folder, as deep as asked: paths relative to it, and whether each is a folder. */
export type ListBelow = (
  folder: string,
  depth: number,
  hidden: boolean,
) => readonly { path: string; isFolder: boolean }[];

/**
 * The files that a pattern stands for, sorted; none when nothing matches, and the pattern is then
 * its own text. What begins with `-` gets `./` in front, so that no program takes it for an option.
 *
 * @param glob `*`, `?` and `[…]`, with `\` before characters that mean themselves
 */
export function expandGlob(glob: string, list: ListBelow): string[] {
  const segments = glob.split('/');
  const wantsFolder = segments.at(-1) === '' && segments.length > 1;
  if (wantsFolder) segments.pop();
  const first = segments.findIndex(hasWildcard);
  if (first < 0) return [];
  const base = segments.slice(0, first).map(plainText);
  const rest = segments.slice(first);
  // Neither leads anywhere that the plugin could list; the pattern stays as it is.
  if (base.includes('..') || rest.includes('..') || glob.startsWith('/')) return [];
  const patterns = rest.map(segmentPattern);
  const folder = base.filter((segment) => segment !== '' && segment !== '.').join('/');
  const prefix = base.length === 0 ? '' : `${base.join('/')}/`;
  const hidden = rest.some((segment) => plainText(segment).startsWith('.'));
  return list(folder, rest.length, hidden)
    .filter(({ path, isFolder }) => {
      const names = path.split('/');
      if (names.length !== patterns.length || (wantsFolder && !isFolder)) return false;
      return patterns.every((pattern, at) => pattern.test(names[at] ?? ''));
    })
    .map(({ path }) => `${prefix}${path}${wantsFolder ? '/' : ''}`)
    .map((path) => (path.startsWith('-') ? `./${path}` : path))
    .sort();
}

function hasWildcard(segment: string): boolean {
  return /[*?]|\[.+\]/.test(segment.replace(/\\./gs, ''));
}

function plainText(segment: string): string {
  return segment.replace(/\\(.)/gs, '$1');
}

function segmentPattern(segment: string): RegExp {
  const source = segment.replace(
    /\\(.)|(\*+)|(\?)|\[([!^]?)(\]?[^\]]*)\]|(.)/gs,
    (
      _,
      escaped?: string,
      stars?: string,
      one?: string,
      not?: string,
      set?: string,
      char?: string,
    ) =>
      stars !== undefined
        ? '.*'
        : one !== undefined
          ? '.'
          : set !== undefined
            ? `[${not ? '^' : ''}${set.replace(/[\\\]^[]/g, '\\$&')}]`
            : quote(escaped ?? char ?? ''),
  );
  // As in a shell, only a pattern that begins with a dot stands for hidden names.
  return new RegExp(
    `^${segment.startsWith('.') || segment.startsWith('\\.') ? '' : '(?!\\.)'}${source}$`,
    's',
  );
}

function quote(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
