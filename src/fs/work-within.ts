import { Script } from 'node:vm';
import { once } from '../lib/memo.ts';

declare global {
  var limitedWork: (() => void) | undefined;
}

/** The engine ends a script at a time limit, and with it the expression that it is in. */
const limited = once(() => new Script('limitedWork()', { filename: 'limited-work.js' }));

/**
 * Does work that may compute without end, such as an expression that is matched by trying. Costs a
 * fifth of a millisecond.
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
