import { sizeText } from '../../lib/text/amounts.ts';

/** `98 kB`, `1.7 MB`: a tenth counts where most binaries have one or two. */
export function binarySize(bytes: number): string {
  return bytes < 1e6 ? sizeText(bytes) : `${(bytes / 1e6).toFixed(1)} MB`;
}
