import type { ProtectedCheck } from '../../contracts/content-gate.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import { showRaw } from '../../lib/files/raw-fs.ts';
import { HostFailure } from '../../paths/host-failure.ts';
import { openBelow } from '../../paths/open-below.ts';
import { closeName, openRoot } from '../../paths/open-name.ts';
import { parsePath } from '../../paths/parse-path.ts';
import { systemFailure } from '../../paths/system-failure.ts';

/** A folder of a granted root, all links on the way resolved. */
export type ResolvedCwd = { root: string; segments: readonly string[] };

/**
 * The working directory of a command, reached without leaving its root by a link.
 *
 * @param cwd `root:relative/path`; the root itself is `work:`
 * @param folders granted roots: name -> absolute directory
 * @throws {ServiceError} `denied`, `not-found`, `invalid`
 */
export function resolveCwd(
  cwd: string,
  folders: Readonly<Record<string, string>>,
  isProtected: ProtectedCheck,
): ResolvedCwd {
  const roots = new Map<string, number>();
  try {
    for (const [root, folder] of Object.entries(folders)) {
      roots.set(root, openRoot(folder));
    }
    const path = parsePath(cwd, roots);
    using opened = openBelow(path);
    if (!opened.stats.isDirectory()) {
      throw new HostFailure('invalid', `path ${path.shown} is not a directory`);
    }
    const way = opened.resolved.join('/');
    if (!way.isWellFormed()) {
      const text = `path ${path.shown} leads to "${showRaw(way)}", which is not UTF-8`;
      throw new HostFailure('invalid', text);
    }
    for (const each of [path.segments, opened.resolved]) {
      if (!isProtected(each.join('/'), path.root)) continue;
      throw new HostFailure('denied', `path ${path.shown} is protected`);
    }
    return { root: path.root, segments: opened.resolved };
  } catch (thrown) {
    const { payload } = systemFailure(thrown, JSON.stringify(cwd.slice(0, 200).toWellFormed()));
    const root = /^[a-z][a-z0-9-]*(?=:)/.exec(cwd)?.[0];
    // It may hold the program alone, which then has no folder to run in.
    if (payload.tag === 'denied' && root !== undefined && !Object.hasOwn(folders, root)) {
      const text = `${payload.val}; a program runs in a folder, so exec needs fs:${root} beside it`;
      throw new ServiceError('denied', text, '', `Grant it, too: --allow fs:${root}`);
    }
    throw new ServiceError(payload.tag, payload.val);
  } finally {
    for (const fd of roots.values()) closeName(fd);
  }
}
