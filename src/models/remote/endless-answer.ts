import type { KernelError } from '../../contracts/error.ts';
import { modelError } from '../../contracts/talk/model-fault.ts';

/** @param most what an answer may have, as `1048576 characters` */
export function endlessAnswer(most: string): KernelError {
  return modelError(
    { kind: 'refused' },
    `the model's answer has more than ${most} and does not end`,
    'ask again, or run without a model: --model none',
  );
}

/** @param why e.g. `neither text nor a tool call` */
export function emptyAnswer(why: string): KernelError {
  return modelError(
    { kind: 'empty' },
    `the model returned an empty answer: ${why}`,
    'ask again, or run without a model: --model none',
  );
}

export function thoughtsAlone(stop: string): KernelError {
  const isCut = stop === 'length';
  return emptyAnswer(isCut ? 'its thoughts took all of the reply' : 'thoughts alone');
}

/** An answer that began and never said that it was whole. */
export function brokenAnswer(why: string): KernelError {
  return modelError(
    { kind: 'broken' },
    `the model's answer broke off: ${why}`,
    'ask again, or run without a model: --model none',
  );
}
