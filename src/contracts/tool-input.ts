import { KernelError } from './error.ts';

/** Of the input of one call. A frame holds 8 MiB; the rest is for names, reasons and known words. */
export const maxInputBytes = 7 * 1024 * 1024;

/** @param size what it has, with its unit */
export function inputTooLarge(tool: string, size: string): KernelError {
  return new KernelError(
    'resource-exhausted',
    `${tool}: an input of ${size}, limit ${maxInputBytes}`,
    { hint: 'Hand over less at once, or a file for the tool to read.' },
  );
}
