/** A part with more of all code than this is shown by its folders. */
const mostShare = 0.12;
/** A folder with fewer files is no part of its own. */
const fewFiles = 2;

type File = { path: string; size: number };

const bytesOf = (files: readonly File[]): number => files.reduce((sum, { size }) => sum + size, 0);

/**
 * The folders by which a workspace is best seen: the largest are split until there are enough.
 *
 * @returns folders in the order of their paths, none of which lies in another but for the files that
 *   stand beside folders; `.` for those at the top
 */
export function partsOf(files: readonly File[], most: number): string[] {
  const all = bytesOf(files);
  const parts = new Map<string, File[]>([['.', [...files]]]);
  const whole = new Set<string>();
  for (;;) {
    const [largest] = [...parts]
      .filter(([path]) => !whole.has(path))
      .map(([path, inside]) => ({ path, bytes: bytesOf(inside) }))
      .toSorted((one, other) => other.bytes - one.bytes);
    if (largest === undefined) break;
    const { path, bytes } = largest;
    if (path !== '.' && bytes < mostShare * all) break;
    whole.add(path);
    const room = path === '.' ? most - 1 : Math.ceil(((most - parts.size) * bytes) / all);
    const split = foldersIn(path, parts.get(path) as File[], room);
    // A folder that holds nothing but one folder is that one.
    if (split.size === 1 && split.has(path)) continue;
    parts.delete(path);
    for (const [folder, inside] of split) parts.set(folder, inside);
  }
  return [...parts.keys()].sort();
}

/**
 * Files by the folder below a part. Small folders and single files stay with the part itself.
 *
 * @param room for folders; the largest ones are taken
 */
function foldersIn(part: string, files: readonly File[], room: number): Map<string, File[]> {
  const start = part === '.' ? '' : `${part}/`;
  const folders = new Map<string, File[]>();
  const rest: File[] = [];
  for (const file of files) {
    const slash = file.path.indexOf('/', start.length);
    const folder = file.path.slice(0, Math.max(0, slash));
    if (slash < 0) rest.push(file);
    else if (folders.get(folder)?.push(file) === undefined) folders.set(folder, [file]);
  }
  const largest = [...folders].toSorted(([, one], [, other]) => bytesOf(other) - bytesOf(one));
  const taken = largest.slice(0, room).filter(([, inside]) => inside.length >= fewFiles);
  const names = new Set(taken.map(([folder]) => folder));
  rest.push(...largest.flatMap(([folder, inside]) => (names.has(folder) ? [] : inside)));
  return new Map(rest.length === 0 ? taken : [[part, rest], ...taken]);
}

/** The part that a path lies in: the nearest of the folders above it. */
export function partWith(path: string, parts: ReadonlySet<string>): string {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const folder = path.slice(0, end);
    if (parts.has(folder)) return folder;
  }
  return '.';
}
