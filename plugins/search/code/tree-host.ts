import type { fs, HostError } from '@cuervo/sdk';

type Host = Pick<
  typeof fs,
  'scan' | 'unsearched' | 'readText' | 'readAnyText' | 'readMany' | 'walk' | 'stat' | 'statMany'
>;

/** For tests: a tree in memory, searched line by line as the host does. */
export function treeHost(files: Readonly<Record<string, string>>): Host {
  const entry = (path: string) => ({
    ...{ path: `work:${path}`, kind: 'file' as const, size: 1, modifiedMs: 0 },
  });
  const readText: Host['readText'] = (path) => ({
    ...{ text: files[path.slice(5)] as string, hash: '', truncated: false },
  });
  return {
    stat: (path) => ({
      ...entry(path.slice(5)),
      kind: Object.hasOwn(files, path.slice(5)) ? 'file' : 'directory',
    }),
    walk: (_, options) =>
      Object.keys(files)
        .filter((path) => isIncluded(path, options?.include ?? []))
        .map(entry),
    readMany: (paths) => paths.map((path) => ({ path, value: readText(path) })),
    statMany: (paths) =>
      paths.map((path) =>
        Object.hasOwn(files, path.slice(5))
          ? { path, value: entry(path.slice(5)) }
          : { path, error: new Error('not there') as HostError },
      ),
    readText,
    readAnyText: readText,
    unsearched: () => undefined,
    scan: (_, options) => {
      const pattern = new RegExp(options.pattern, options.caseInsensitive === true ? 'ui' : 'u');
      const { after = 0 } = options;
      const matches = Object.entries(files).flatMap(([path, text]) =>
        text.split('\n').map((line, at, lines) => ({
          ...{ path: `work:${path}`, line: at + 1, column: 1, text: line },
          ...{ before: [], after: lines.slice(at + 1, at + 1 + after) },
        })),
      );
      return {
        matches: matches.filter(({ text }) => pattern.test(text)),
        ...{ filesScanned: 1, bytesScanned: 1, truncated: false },
      };
    },
  };
}

/** As far as the globs of this plugin go: names, and `*.{a,b}`. */
function isIncluded(path: string, globs: readonly string[]): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const endings = globs.flatMap((glob) => /^\*\.\{(.*)\}$/.exec(glob)?.[1]?.split(',') ?? []);
  return (
    globs.length === 0 ||
    globs.includes(name) ||
    endings.includes(name.slice(name.lastIndexOf('.') + 1))
  );
}
