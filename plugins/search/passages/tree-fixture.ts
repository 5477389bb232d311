import type { PassageFs } from './passage-fs.ts';

/** A tree in memory, counted as `fs.tally` counts: by windows, where a part of a word begins. */
export function treeOf(files: Record<string, string>): PassageFs {
  const partsOf = (line: string) =>
    (line.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((part) => part.toLowerCase());
  return {
    readAnyText: (path) => {
      const root = /^[^/]*?:/.exec(path)?.[0] ?? 'work:';
      const text = root === 'work:' ? files[path.replace(/^work:/, '')] : undefined;
      if (text === undefined) throw new Error(`${path} does not exist`);
      return { text, hash: '', truncated: false };
    },
    unsearched: () => undefined,
    walk: (_, { include = [] } = {}) => {
      const wanted = include.map((glob) => {
        const name = glob
          .replace(/^\*\*\//, '')
          .replaceAll('.', '\\.')
          .replaceAll('*', '.*');
        return new RegExp(`(?:^|/)${name}$`);
      });
      return Object.entries(files).flatMap(([path, text]) =>
        wanted.some((one) => one.test(path))
          ? [{ path: `work:${path}`, kind: 'file' as const, size: text.length, modifiedMs: 0 }]
          : [],
      );
    },
    scan: (_, { pattern }) => {
      const wanted = new RegExp(pattern, 'iu');
      const matches = Object.entries(files).flatMap(([path, text]) =>
        text.split('\n').flatMap((line, at) => {
          const place = { path: `work:${path}`, line: at + 1, column: 1, before: [], after: [] };
          return wanted.test(line) ? [{ ...place, text: line }] : [];
        }),
      );
      return { matches, filesScanned: 1, bytesScanned: 1, truncated: false };
    },
    tally: (_, { words, window = 40, overlap = 10 }) => {
      const all = Object.entries(files).flatMap(([path, text]) => {
        const lines = text.split('\n');
        const windows = [];
        for (
          let first = 0;
          first === 0 || first + overlap < lines.length;
          first += window - overlap
        ) {
          const parts = lines.slice(first, first + window).flatMap(partsOf);
          const counts = words.map((word) => parts.filter((part) => part.startsWith(word)).length);
          const place = { path: `work:${path}`, line: first + 1 };
          windows.push({ ...place, length: parts.length, counts: Uint32Array.from(counts) });
        }
        return windows;
      });
      const holding = words.map((_, at) => all.filter(({ counts }) => counts[at] !== 0).length);
      return {
        windows: all.filter(({ counts }) => counts.some((count) => count > 0)),
        total: all.length,
        holding: Uint32Array.from(holding),
        meanLength: all.reduce((sum, { length }) => sum + length, 0) / all.length,
        truncated: false,
      };
    },
  };
}
