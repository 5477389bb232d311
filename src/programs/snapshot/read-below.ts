import { linkMode } from '../../contracts/file-changes.ts';
import { sha256 } from '../../lib/sha256.ts';
import { HostFailure } from '../../paths/host-failure.ts';
import { openDirectory } from '../../paths/open-directory.ts';
import { closeName, openRoot } from '../../paths/open-name.ts';
import { readPresent } from '../../paths/present-file.ts';
import { readLink } from '../../paths/read-link.ts';

/** Bytes of a file, or the target of a link, with the bits that `FileChange.mode` has for them. */
export type ReadEntry = { bytes: Uint8Array; hash: string; mode: number };

/**
 * Opens a root to read single paths below it, passing no link. The caller disposes it.
 *
 * @returns `read` gives undefined for what is gone, is neither file nor link, or is above the
 *   size up to which a file is kept
 */
export function openReader(
  root: string,
  folder: string,
): Disposable & { read(path: string): ReadEntry | undefined } {
  const rootFd = openRoot(folder);
  return {
    read: (path) => {
      const segments = path.split('/');
      const at = { root, rootFd, segments, shown: path };
      const name = segments.at(-1) ?? '';
      try {
        using parent = openDirectory(at, segments.slice(0, -1));
        const link = readLink(parent.fd, name);
        if (link !== undefined) return { bytes: link, hash: sha256(link), mode: linkMode | 0o777 };
        const file = readPresent(at, parent.fd, name);
        return file && { bytes: file.bytes, hash: file.hash, mode: file.stats.mode & 0o777 };
      } catch (thrown) {
        // An error of the system or a refusal for this one path: it is reported as not kept.
        if (thrown instanceof HostFailure || (thrown as NodeJS.ErrnoException).code !== undefined)
          return undefined;
        throw thrown;
      }
    },
    [Symbol.dispose]: () => closeName(rootFd),
  };
}
