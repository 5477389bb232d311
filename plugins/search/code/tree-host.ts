import type { fs } from '@cuervo/sdk';

type Host = Pick<typeof fs, 'scan' | 'unsearched' | 'readText' | 'readAnyText' | 'walk' | 'stat'>;

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
    walk: () => Object.keys(files).map(entry),
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
