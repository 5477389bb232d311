import type { KernelError } from '../error.ts';
import { faultOf } from './model-fault.ts';

/**
 * Why rounds with a model ended; the first that holds, in this order. `answered`, `cut-off` and
 * `refused` are words of the model; with the others the answer is made without it.
 */
export const stopReasons = [
  'answered',
  'cut-off',
  'refused',
  'interrupted',
  'rounds',
  'tool-calls',
  'tokens',
  'usd',
  'day-usd',
  'duration-ms',
  'model',
  'failed',
] as const;

export type StopReason = (typeof stopReasons)[number];

/** The limits of a question, as `budget.KEY` names them. */
export type BudgetKey = 'rounds' | 'tool-calls' | 'tokens' | 'usd' | 'day-usd' | 'duration-ms';

const spentKeys = new WeakMap<KernelError, BudgetKey>();

/** Marks the error of a spent budget with the limit that it reached. */
export function markSpent(error: KernelError, key: BudgetKey): KernelError {
  spentKeys.set(error, key);
  return error;
}

/** Why an error ended the rounds. */
export function stopOf(error: KernelError): StopReason {
  if (error.code === 'canceled') return 'interrupted';
  const key = spentKeys.get(error);
  if (key !== undefined) return key;
  return faultOf(error) !== undefined || error.code === 'unavailable' ? 'model' : 'failed';
}
