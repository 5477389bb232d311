import { isDeepStrictEqual } from 'node:util';
import type { ProposedChange } from '../../contracts/consent.ts';
import { openParent, readOnlyText } from '../../paths/change-file.ts';
import { HostFailure } from '../../paths/host-failure.ts';
import { type GuestPath, showPath } from '../../paths/parse-path.ts';
import { lookAtName, readOnlyMode, readPresent } from '../../paths/present-file.ts';

/** The whole path, with its root. */
export function nameOf({ root, segments }: GuestPath): string {
  return `${root}:${segments.join('/')}`;
}

/** @throws {HostFailure} where it cannot be written, and errors of the system */
export function proposeWrite(path: GuestPath, after: Uint8Array): ProposedChange {
  using parent = openParent(path);
  const before = readPresent(path, parent.fd, parent.name);
  if (before === undefined) return { kind: 'create', path: nameOf(path), after };
  const { bytes, stats } = before;
  const mode = readOnlyPart(readOnlyMode(parent.fd, parent.name, stats));
  return { kind: 'write', path: nameOf(path), before: bytes, after, ...mode };
}

const readOnlyPart = (readOnly: string | undefined): { readOnly?: string } =>
  readOnly === undefined ? {} : { readOnly };

/** Whether a read-only file stands at a path, as a text that names both; what fails there the change itself reports. */
export function readOnlyAt(path: GuestPath): string | undefined {
  try {
    using parent = openParent(path);
    const stats = lookAtName(path, parent.fd, parent.name);
    const mode = stats?.isFile() ? readOnlyMode(parent.fd, parent.name, stats) : undefined;
    return mode === undefined ? undefined : readOnlyText(path, mode);
  } catch {
    return undefined;
  }
}

/** @throws {HostFailure} where it cannot be removed, and errors of the system */
export function proposeRemoval(path: GuestPath): ProposedChange {
  using parent = openParent(path);
  const stats = lookAtName(path, parent.fd, parent.name);
  if (stats?.isDirectory()) return { kind: 'remove', path: nameOf(path) };
  const found = readPresent(path, parent.fd, parent.name);
  if (found === undefined) return { kind: 'remove', path: nameOf(path) };
  const mode = readOnlyPart(readOnlyMode(parent.fd, parent.name, found.stats));
  return { kind: 'remove', path: nameOf(path), before: found.bytes, ...mode };
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
