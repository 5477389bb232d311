import { fsLimits } from '../paths/fs-limits.ts';
import { HostFailure } from '../paths/host-failure.ts';
import { showPath } from '../paths/parse-path.ts';
import { systemFailure } from '../paths/system-failure.ts';
import type { Many } from './fs-types.ts';

/**
 * One answer for each path, in their order; one that fails is an answer as well.
 *
 * @throws {HostFailure} `limit` for more paths than one call takes
 */
export function many<Value>(paths: readonly string[], run: (path: string) => Value): Many<Value>[] {
  if (paths.length > fsLimits.manyPaths) {
    throw new HostFailure('limit', `${paths.length} paths, limit ${fsLimits.manyPaths}`);
  }
  return paths.map((path) => {
    try {
      return { tag: 'ok', val: run(path) };
    } catch (thrown) {
      return { tag: 'err', val: systemFailure(thrown, showPath(path)).payload };
    }
  });
}

/** For the journal: how many, and as many of them as there is room for. */
export function targetOf(paths: readonly string[]): string {
  return `${paths.length} paths: ${paths.slice(0, fsLimits.manyPaths).join(', ')}`;
}

export function overAll(shown: string): HostFailure {
  const limit = `limit ${fsLimits.readTextBytes} bytes for all texts of one call`;
  return new HostFailure('limit', `path ${shown}: ${limit}`);
}
