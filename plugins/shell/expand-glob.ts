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
  // The plugin can list neither; the pattern stays as it is.
  if (base.includes('..') || rest.includes('..') || glob.startsWith('/')) return [];
  const patterns = rest.map(segmentPattern);
  const folder = base.filter((segment) => segment !== '' && segment !== '.').join('/');
  const prefix = base.length === 0 ? '' : `${base.join('/')}/`;
  const hidden = rest.some((segment) => plainText(segment).startsWith('.'));
  return list(folder, rest.length, hidden)
    .filter(({ path, isFolder }) => {
      const names = path.split('/');
      if (names.length !== patterns.length || (wantsFolder && !isFolder)) return false;
      return patterns.every((matches, at) => matches(names[at] ?? ''));
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

/** A test of one character; undefined stands for any number of them. */
type Step = ((character: string) => boolean) | undefined;

function segmentPattern(segment: string): (name: string) => boolean {
  const parts = segment.matchAll(/\\(.)|(\*+)|(\?)|\[([!^]?)(\]?[^\]]*)\]|(.)/gs);
  const steps = Array.from(parts, ([, escaped, stars, one, not, set, plain]): Step => {
    if (stars !== undefined) return undefined;
    if (one !== undefined) return () => true;
    if (set === undefined) return (character) => character === (escaped ?? plain);
    const members = new RegExp(`[${not ? '^' : ''}${set.replace(/[\\\]^[]/g, '\\$&')}]`, 's');
    return (character) => members.test(character);
  });
  // As in a shell, only a pattern that begins with a dot stands for hidden names.
  const isForHidden = /^\\?\./.test(segment);
  return (name) => (isForHidden || !name.startsWith('.')) && fitsSteps(steps, name);
}

/** If a character does not fit, the last `*` takes one more; no name is tried in all ways. */
function fitsSteps(steps: readonly Step[], name: string): boolean {
  let step = 0;
  let at = 0;
  let again: { step: number; at: number } | undefined;
  while (at < name.length) {
    const test = steps[step];
    if (step < steps.length && test === undefined) {
      step += 1;
      again = { step, at };
    } else if (test?.(name.charAt(at))) {
      step += 1;
      at += 1;
    } else if (again !== undefined) {
      again.at += 1;
      ({ step, at } = again);
    } else return false;
  }
  while (step < steps.length && steps[step] === undefined) step += 1;
  return step === steps.length;
}
