import { sha256 } from '../../lib/sha256.ts';
import { fsLimits } from '../../paths/fs-limits.ts';
import type { ReadGated } from '../../paths/read-gated.ts';

/**
 * What a plugin read in a file that was too large to record, where that still stands there.
 *
 * @param args of `fs.read-text` and `fs.read-bytes`: the path, and which part of the file
 * @param digest of the whole file, or of the bytes that were read
 * @returns undefined for another call, and where the file is another now
 */
export type ReadAgain = (call: string, args: readonly unknown[], digest: string) => unknown;

export function createReadAgain(readGated: ReadGated): ReadAgain {
  return (call, [path, first, second], digest) => {
    if (call !== 'fs.read-text' && call !== 'fs.read-bytes') return undefined;
    try {
      const { bytes } = readGated(String(path), fsLimits.fileBytes);
      if (call === 'fs.read-bytes') {
        const length = Math.min(Number(second), fsLimits.readBytesLength);
        const part = bytes.subarray(Number(first), Number(first) + length);
        return sha256(part) === digest ? part : undefined;
      }
      if (sha256(bytes) !== digest) return undefined;
      const wanted = Math.min(Number(first), fsLimits.readTextBytes);
      // A character that is cut in the middle is left out.
      const text = new TextDecoder('utf-8', { ignoreBOM: true });
      return {
        text: text.decode(bytes.subarray(0, wanted), { stream: true }),
        hash: digest,
        truncated: bytes.length > wanted,
      };
    } catch {
      return undefined;
    }
  };
}
