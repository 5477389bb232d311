import { bytesOf } from '../../lib/number-array.ts';

/**
 * What the kernel knows of the words in files that have not changed, for a tally: of each file its
 * windows of lines. It goes to the plugin process as bytes: three numbers, those of the files, those
 * of the windows, each of 32 bits and little-endian, and the paths with a zero between two of them.
 */
export type KnownWindows = {
  /** relative to the root */
  paths: readonly string[];
  /** `knownFileFields` of each: windows, the sum of their lengths, windows that hold a word */
  files: Uint32Array;
  /**
   * Of each window with a word: its first line from 1, its length in parts of identifiers, how many
   * words it holds, and of each of these `count << 6 | word`
   */
  windows: Uint32Array;
};

export const knownFileFields = 3;

/** Asks for them, or is told that there are none; no guest can make this request. */
export const knownCall = 'help.tally';

/** What is asked for; from a plugin process, so not to be relied on. */
export type KnownQuestion = {
  root: string;
  /** where the tally starts, relative to the root */
  start: string;
  words: readonly string[];
  /** lines of a window, and from one's beginning to the next one's */
  window: number;
  step: number;
};

/** Lines that are counted together: windows and steps are made of such. */
export const blockLines = 10;

const headerNumbers = 3;
const numberBytes = Uint32Array.BYTES_PER_ELEMENT;

export function encodeKnownWindows({ paths, files, windows }: KnownWindows): Buffer[] {
  const names = Buffer.from(paths.join('\0'));
  const header = Uint32Array.of(paths.length, files.length, windows.length);
  return [bytesOf(header), bytesOf(files), bytesOf(windows), names];
}

export function decodeKnownWindows(parts: readonly Uint8Array[]): KnownWindows {
  // A buffer of its own: numbers may not lie anywhere.
  const bytes = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let filled = 0;
  for (const part of parts) {
    bytes.set(part, filled);
    filled += part.length;
  }
  const numbers = new Uint32Array(bytes.buffer, 0, Math.floor(bytes.length / numberBytes));
  const [count = 0, fileNumbers = 0, windowNumbers = 0] = numbers;
  const windowsAt = headerNumbers + fileNumbers;
  const namesAt = windowsAt + windowNumbers;
  return {
    paths: count === 0 ? [] : bytes.toString('utf8', namesAt * numberBytes).split('\0'),
    files: numbers.subarray(headerNumbers, windowsAt),
    windows: numbers.subarray(windowsAt, namesAt),
  };
}
