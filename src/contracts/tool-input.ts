import { KernelError } from './error.ts';

/**
 * Bytes of the input of one call. A frame holds 8 MiB; the rest is for names, reasons and known
 * words.
 */
export const maxInputBytes = 7 * 1024 * 1024;

/** @param size what it has, with its unit */
export function inputTooLarge(tool: string, size: string): KernelError {
  return new KernelError(
    'resource-exhausted',
    `${tool}: an input of ${size}, limit ${maxInputBytes}`,
    { hint: 'Hand over less at once, or a file for the tool to read.' },
  );
}

/**
 * An input that no frame holds is the caller's mistake, and no fault of the plugin.
 *
 * @param input JSON text, counted as UTF-8
 * @throws {KernelError} `resource-exhausted` above `maxInputBytes`
 */
export function refuseLargeInput(tool: string, input: string): void {
  // Three bytes a unit at most.
  if (input.length * 3 <= maxInputBytes) return;
  const bytes = Buffer.byteLength(input);
  if (bytes > maxInputBytes) throw inputTooLarge(tool, `${bytes} bytes`);
}
