import { KernelError } from '../../contracts/error.ts';

/** @param most what an answer may have, as `1048576 characters` */
export function endlessAnswer(most: string): KernelError {
  return new KernelError(
    'unavailable',
    `the model's answer has more than ${most} and does not end`,
    { hint: 'ask again, or run without a model: --model none' },
  );
}
