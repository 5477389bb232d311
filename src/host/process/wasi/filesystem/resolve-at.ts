import { fsLimits } from '../../../below/fs-limits.ts';
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
 * @throws {WasiFailure} `not-permitted` for a path that leads out, `no-entry` for none
 */
export function resolveAt(from: Place, path: unknown): Place & { mustBeDirectory: boolean } {
  const text = textOf(path);
  if (text === '') throw failWith('no-entry');
  if (text.startsWith('/')) throw failWith('not-permitted');
  if (text.length > fsLimits.pathBytes) throw failWith('name-too-long');
  const below: string[] = [];
  for (const segment of text.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') below.push(segment);
    else if (below.pop() === undefined) throw failWith('not-permitted');
  }
  return {
    root: from.root,
    segments: [...from.segments, ...below],
    mustBeDirectory: /(?:^|\/)\.{0,2}$/.test(text),
  };
}

/** The place as a path of `cuervo:host`. */
export function pathOf({ root, segments }: Place): string {
  return `${root}:${segments.join('/')}`;
}
