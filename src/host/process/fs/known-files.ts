import { type KnownWindows, knownFileFields } from '../../protocol/known-windows.ts';

/** What the kernel said of the words in one file. */
export type KnownFile = {
  /** all windows, and the sum of their lengths */
  total: number;
  totalLength: number;
  /** windows that hold a word */
  holding: number;
  /** @param counts filled anew for each window that holds a word */
  eachWindow(counts: Uint32Array, use: (line: number, length: number) => void): void;
};

/** @returns a function that gives what is known of a path, for each path once */
export function createKnownFiles(
  known: KnownWindows | undefined,
): (path: string) => KnownFile | undefined {
  if (known === undefined) return () => undefined;
  const { paths, files, windows } = known;
  const places = new Map<string, { file: number; window: number }>();
  let at = 0;
  for (const [file, path] of paths.entries()) {
    places.set(path, { file: file * knownFileFields, window: at });
    const holding = files[file * knownFileFields + 2] ?? 0;
    for (let window = 0; window < holding; window += 1) at += 3 + (windows[at + 2] ?? 0);
  }

  return (path) => {
    const place = places.get(path);
    if (place === undefined) return undefined;
    const [total = 0, totalLength = 0, holding = 0] = files.subarray(
      place.file,
      place.file + knownFileFields,
    );
    return {
      total,
      totalLength,
      holding,
      eachWindow: (counts, use) => {
        let next = place.window;
        for (let window = 0; window < holding; window += 1) {
          const end = next + 3 + windows[next + 2]!;
          counts.fill(0);
          for (let pair = next + 3; pair < end; pair += 1) {
            counts[windows[pair]! & 63] = windows[pair]! >>> 6;
          }
          use(windows[next]!, windows[next + 1]!);
          next = end;
        }
      },
    };
  };
}
