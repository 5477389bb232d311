import { Script } from 'node:vm';
import { once } from '../lib/memo.ts';
import { fsLimits } from '../paths/fs-limits.ts';
import { showPath } from '../paths/parse-path.ts';
import { HostFailure, systemFailure } from '../paths/system-failure.ts';
import type { Many } from './fs-types.ts';

/**
 * Milliseconds on a clock that never goes back. `performance` would say the same, but it is made
 * on its first use, from ten modules of Node: 3 ms of the start of each plugin process.
 */
export function nowMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

/**
 * A number from a guest, cut to `max`: a smaller limit does no harm.
 *
 * @throws {HostFailure} `invalid` when it is not a whole number of at least `min`
 */
export function checkNumber(name: string, value: number, min: number, max: number): number {
  if (!Number.isSafeInteger(value) || value < min) {
    throw new HostFailure('invalid', `${name} is ${value}, must be a whole number from ${min}`);
  }
  return Math.min(value, max);
}

/** @throws {HostFailure} `invalid` when it is not a whole number from `min` to `max` */
export function checkRange(name: string, value: number, min: number, max: number): number {
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    throw new HostFailure('invalid', `${name} is ${value}, must be from ${min} to ${max}`);
  }
  return value;
}

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

/** For the journal: the number of paths, and as many of them as there is room for. */
export function targetOf(paths: readonly string[]): string {
  return `${paths.length} paths: ${paths.slice(0, fsLimits.manyPaths).join(', ')}`;
}

export function overAll(shown: string): HostFailure {
  const limit = `limit ${fsLimits.readTextBytes} bytes for all texts of one call`;
  return new HostFailure('limit', `path ${shown}: ${limit}`);
}

declare global {
  var limitedWork: (() => void) | undefined;
}

/** The engine can end a running expression only as part of a script with a time limit. */
const limited = once(() => new Script('limitedWork()', { filename: 'limited-work.js' }));

/**
 * Runs work that may never end, such as an expression with backtracking. Costs 0.2 ms.
 *
 * @returns false where it was ended
 */
export function workWithin(timeoutMs: number, work: () => void): boolean {
  globalThis.limitedWork = work;
  try {
    limited().runInThisContext({ timeout: timeoutMs });
    return true;
  } catch (thrown) {
    const { code } = thrown as { code?: unknown };
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw thrown;
  } finally {
    globalThis.limitedWork = undefined;
  }
}
