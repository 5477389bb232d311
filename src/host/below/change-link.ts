import { readlinkSync, symlinkSync, unlinkSync } from 'node:fs';
import { linkMode } from '../../contracts/file-changes.ts';
import { sha256 } from '../../lib/sha256.ts';
import { type ChangeScope, changeOf, openParent } from './change-file.ts';
import { HostFailure } from './host-failure.ts';
import { atName } from './open-name.ts';
import type { GuestPath } from './parse-path.ts';
import { errorCode } from './system-failure.ts';
import { syncDirectory } from './write-whole.ts';

/** All of a link's bits: no system looks at them. */
const mode = linkMode | 0o777;

/** Text of the link under a name of an open directory; undefined for anything else. */
export function readLink(directoryFd: number, name: string): Buffer | undefined {
  try {
    return atName(directoryFd, name, (at) => readlinkSync(at, { encoding: 'buffer' }));
  } catch (thrown) {
    const code = errorCode(thrown);
    if (code === 'EINVAL' || code === 'ENOENT') return undefined;
    throw thrown;
  }
}

/**
 * Makes a link where nothing stands. For the kernel's own hand, when what a program did is taken
 * back: no plugin makes links.
 */
export function createLink(scope: ChangeScope, path: GuestPath, target: Uint8Array): void {
  using parent = openParent(path);
  const change = { ...changeOf(scope, path), kind: 'create' as const, mode };
  scope.keeper.record({ ...change, afterHash: sha256(target) }, () => {
    atName(parent.fd, parent.name, (at) => symlinkSync(Buffer.from(target), at));
  });
  syncDirectory(parent.fd);
}

/** Removes a link, never what it leads to. @returns false when none stands there */
export function removeLink(scope: ChangeScope, path: GuestPath): boolean {
  using parent = openParent(path);
  const target = readLink(parent.fd, parent.name);
  if (target === undefined) return false;
  const beforeHash = scope.keeper.keep(target);
  scope.keeper.record({ ...changeOf(scope, path), kind: 'remove', beforeHash, mode }, () => {
    if (readLink(parent.fd, parent.name)?.equals(target) !== true) {
      throw new HostFailure('conflict', `path ${path.shown} was changed during the call`);
    }
    atName(parent.fd, parent.name, (at) => unlinkSync(at));
  });
  syncDirectory(parent.fd);
  return true;
}
