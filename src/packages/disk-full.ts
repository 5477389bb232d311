import { KernelError } from '../contracts/error.ts';

export function diskFull(cause: unknown): KernelError {
  return new KernelError('resource-exhausted', 'the disk that holds CUERVO_HOME is full', {
    cause,
    hint: 'Make room and try again: the part that arrived is kept. Or use another disk: CUERVO_HOME=DIR cuervo …',
  });
}
