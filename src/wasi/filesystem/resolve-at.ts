import { fsLimits } from '../../paths/fs-limits.ts';
import { HostFailure } from '../../paths/host-failure.ts';
import { showPath } from '../../paths/parse-path.ts';
import { textOf } from '../guest-argument.ts';
import { failWith } from './error-code.ts';

/** A place below a root, as a list of names; whether it may be reached is not said here. */
export type Place = { root: string; segments: readonly string[] };

/**
 * Where a path leads from an open directory. `.` and `..` are resolved by the letters of the
 * path, links play no part in it; a path that leaves the directory it starts from is refused,
 * as WASI wants it, also where it would stay below the root.
 *
 * @param path as the guest gave it
 * @throws {HostFailure} `denied` for a path that leads out
 * @throws {WasiFailure} `no-entry` for an empty one
 */
export function resolveAt(from: Place, path: unknown): Place & { mustBeDirectory: boolean } {
  const text = textOf(path);
  if (text === '') throw failWith('no-entry');
  if (text.startsWith('/')) throw leadsOut(text);
  if (text.length > fsLimits.pathBytes) throw failWith('name-too-long');
  const below: string[] = [];
  for (const segment of text.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') below.push(segment);
    else if (below.pop() === undefined) throw leadsOut(text);
  }
  return {
    root: from.root,
    segments: [...from.segments, ...below],
    mustBeDirectory: /(?:^|\/)\.{0,2}$/.test(text),
  };
}

function leadsOut(path: string): HostFailure {
  const text = `path ${showPath(path)} leads outside of the directory it starts from`;
  return new HostFailure('denied', text, 'EPERM');
}

/** The place as a path of `cuervo:host`. */
export function pathOf({ root, segments }: Place): string {
  return `${root}:${segments.join('/')}`;
}
