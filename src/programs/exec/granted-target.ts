import { wrongOrigin } from '../../contracts/capability.ts';
import type { ProtectedCheck } from '../../contracts/content-gate.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import { showRaw } from '../../lib/files/raw-fs.ts';
import { openBelow } from '../../paths/open-below.ts';
import { closeName, openRoot } from '../../paths/open-name.ts';
import { parsePath } from '../../paths/parse-path.ts';
import { HostFailure, systemFailure } from '../../paths/system-failure.ts';

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

/**
 * The granted origin that a program wants a connection to.
 *
 * @param authority of a CONNECT, `host:port`
 * @returns its URL; https where the same port is granted as both
 * @throws {ServiceError} `invalid` for what is not an authority, `denied` for what was not granted
 */
export function grantedAuthority(authority: string, origins: readonly string[]): URL {
  const plain = /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9_.-]{1,253}):\d{1,5}$/i.test(authority);
  const urls = plain
    ? ['https', 'http'].map((scheme) => URL.parse(`${scheme}://${authority}`))
    : [];
  const [secure, open] = urls;
  if (!secure || !open)
    throw new ServiceError('invalid', 'a CONNECT request needs a host and a port');
  const granted = [secure, open].find(({ origin }) => origins.includes(origin));
  if (granted === undefined) throw notGranted(secure);
  return granted;
}

/**
 * The URL of a plain request, in the form that is for proxies, or behind a CONNECT in the usual one.
 *
 * @param bound origin that the connection was made for
 * @throws {ServiceError} `invalid`, `denied`
 */
export function grantedUrl(target: string, bound: string | undefined, origins: readonly string[]) {
  if (bound !== undefined && !target.startsWith('/')) {
    throw new ServiceError('invalid', 'after CONNECT, a request needs a path');
  }
  const url = URL.parse(`${bound ?? ''}${target}`);
  if (url === null || url.protocol !== 'http:') {
    throw new ServiceError(
      'invalid',
      'use CONNECT for an https origin; a plain request is refused',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new ServiceError('invalid', 'a URL may not hold a user name or password', url.origin);
  }
  if (!origins.includes(url.origin)) throw notGranted(url);
  url.hash = '';
  return url;
}

/** An origin that no grant can name is not repeated to the person: it may be made up. */
function notGranted({ origin }: URL): ServiceError {
  const known = wrongOrigin(origin) === undefined;
  const shown = known ? origin : 'this origin';
  return new ServiceError(
    'denied',
    `${shown} was not granted to this program`,
    known ? origin : '?',
  );
}
