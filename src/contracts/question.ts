import { KernelError } from './error.ts';

/** Longer texts are documents, not questions. */
export const maxQuestionLength = 32_768;

/** Bytes of a text that is handed over with a question; only its relevant pieces are used. */
export const maxGivenBytes = 64 * 1024 * 1024;

/** @param size what it has, with its unit */
export function questionTooLong(size: string): KernelError {
  const detail = `the question has ${size}, limit ${maxQuestionLength}`;
  return new KernelError('invalid-argument', detail, {
    hint: 'Put the question first and the long text behind it: cuervo ask "QUESTION" - < FILE',
  });
}
