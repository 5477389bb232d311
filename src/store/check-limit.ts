import { KernelError } from '../contracts/error.ts';

/** SQLite reads a negative limit as "all", so an invalid count is refused here. */
export function checkLimit(limit: number): number {
  if (Number.isSafeInteger(limit) && limit >= 0) return limit;
  throw new KernelError('invalid-argument', `limit is ${limit}, not a whole number from 0 on`);
}
