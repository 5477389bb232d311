import type { fs, HostError } from '@cuervo/sdk';
import { type CodeFile, codeFile } from './code-file.ts';

/** A file that is larger is read as far as this. */
const maxFileBytes = 2 * 1024 * 1024;
/** Files that are not UTF-8: each takes a host call more, and those of one call are limited. */
const maxOthers = 150;

export type CodeReader = {
  /**
   * @returns undefined for what is not code
   * @throws {HostError} for what is not text, or not there
   */
  read(path: string): CodeFile | undefined;
  /** The same of a file that was found: undefined when it went away since, or is not text. */
  readFound(path: string): CodeFile | undefined;
  /** what was not read for its encoding, in words for people */
  cuts(): string[];
};

/** Reads code in the encodings in which a scan finds it. */
export function codeReader(host: Pick<typeof fs, 'readText' | 'readAnyText'>): CodeReader {
  let others = 0;
  const read = (path: string): CodeFile | undefined => {
    try {
      if (others >= maxOthers) return codeFile(path, host.readText(path, maxFileBytes).text);
      const { text, encoding } = host.readAnyText(path, maxFileBytes);
      if (encoding !== undefined) others += 1;
      return codeFile(path, text);
    } catch (thrown) {
      if (codeOf(thrown) === 'invalid') others += 1;
      throw thrown;
    }
  };
  return {
    read,
    readFound: (path) => {
      try {
        return read(path);
      } catch (thrown) {
        if (codeOf(thrown) === undefined) throw thrown;
        return undefined;
      }
    },
    cuts: () => (others > maxOthers ? [`${others - maxOthers} files that are not UTF-8`] : []),
  };
}

/** Undefined for what no host call threw. */
function codeOf(thrown: unknown): HostError['code'] | undefined {
  return (thrown as Partial<HostError>).code;
}
