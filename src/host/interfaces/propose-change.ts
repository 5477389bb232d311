import { isDeepStrictEqual } from 'node:util';
import type { ProposedChange } from '../../contracts/consent.ts';
import { openParent } from '../paths/change-file.ts';
import { HostFailure } from '../paths/host-failure.ts';
import { type GuestPath, showPath } from '../paths/parse-path.ts';
import { lookAtName, readPresent } from '../paths/present-file.ts';

/** The whole path, with its root. */
export function nameOf({ root, segments }: GuestPath): string {
  return `${root}:${segments.join('/')}`;
}

/** @throws {HostFailure} where it cannot be written, and errors of the system */
export function proposeWrite(path: GuestPath, after: Uint8Array): ProposedChange {
  using parent = openParent(path);
  const before = readPresent(path, parent.fd, parent.name);
  if (before === undefined) return { kind: 'create', path: nameOf(path), after };
  return { kind: 'write', path: nameOf(path), before: before.bytes, after };
}

/** @throws {HostFailure} where it cannot be removed, and errors of the system */
export function proposeRemoval(path: GuestPath): ProposedChange {
  using parent = openParent(path);
  const stats = lookAtName(path, parent.fd, parent.name);
  if (stats?.isDirectory()) return { kind: 'remove', path: nameOf(path) };
  const before = readPresent(path, parent.fd, parent.name)?.bytes;
  return { kind: 'remove', path: nameOf(path), ...(before === undefined ? {} : { before }) };
}

/**
 * A person agreed to one change: if the change would differ now, the agreement is void.
 *
 * @throws {HostFailure} `conflict`
 */
export function expectAgreed(agreed: ProposedChange, now: ProposedChange): void {
  if (isDeepStrictEqual(agreed, now)) return;
  const text = `path ${showPath(now.path)} was changed while the user was asked`;
  throw new HostFailure('conflict', text);
}
