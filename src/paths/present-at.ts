import { HostFailure } from './host-failure.ts';
import { openDirectory } from './open-directory.ts';
import type { GuestPath } from './parse-path.ts';
import { lookAtName, type PresentFile, readPresent } from './present-file.ts';
import { readLink } from './read-link.ts';
import { errorCode } from './system-failure.ts';

/** The thing at a path, with everything that an undo of its change needs. */
export type Present =
  | { kind: 'absent' }
  | { kind: 'directory'; mode: number }
  | { kind: 'file'; file: PresentFile }
  | { kind: 'link'; target: Buffer };

/**
 * @throws {HostFailure} `denied` where a link stands on the way, `invalid` for a socket and the
 *   like, `limit` for a file that is too large to be kept
 */
export function presentAt(path: GuestPath): Present {
  const name = path.segments.at(-1) ?? '';
  try {
    using parent = openDirectory(path, path.segments.slice(0, -1));
    const target = readLink(parent.fd, name);
    if (target !== undefined) return { kind: 'link', target };
    const stats = lookAtName(path, parent.fd, name);
    if (stats?.isDirectory()) return { kind: 'directory', mode: stats.mode & 0o777 };
    const file = stats && readPresent(path, parent.fd, name);
    return file === undefined ? { kind: 'absent' } : { kind: 'file', file };
  } catch (thrown) {
    // A file in place of a folder has nothing below it.
    const isMissing = /^(?:ENOENT|ENOTDIR)$/.test(errorCode(thrown) ?? '');
    if (isMissing && !(thrown instanceof HostFailure)) return { kind: 'absent' };
    throw thrown;
  }
}
