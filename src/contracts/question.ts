import { KernelError } from './error.ts';

/** Longer texts are documents, not questions. */
export const maxQuestionLength = 32_768;

/** @param size what it has, with its unit */
export function questionTooLong(size: string): KernelError {
  const detail = `the question has ${size}, limit ${maxQuestionLength}`;
  return new KernelError('invalid-argument', detail, {
    hint: 'Put long text into a file of the workspace and ask about the file.',
  });
}
