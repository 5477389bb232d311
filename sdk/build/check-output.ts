import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { BuildError } from './build-error.ts';

/** How every WebAssembly binary begins: `\0asm`. */
const magic = Buffer.from([0x00, 0x61, 0x73, 0x6d]);

/**
 * A build replaces what an earlier one made, and nothing else: a slip in `--out` would cost the
 * author a source.
 *
 * @throws {BuildError} when `file` is empty, or exists and is not a WebAssembly binary
 */
export function checkOutput(file: string): void {
  if (file === '') throw new BuildError('the output has no name: name a file, ending in .wasm');
  const found = statOf(file);
  if (found === undefined) return;
  if (found.isDirectory()) {
    throw new BuildError(`the output ${file} is a folder: name a file in it, ending in .wasm`);
  }
  if (!found.isFile() || !beginsWith(file, magic)) {
    throw new BuildError(
      `the output ${file} exists and is not a WebAssembly binary: name another file, ending in .wasm`,
    );
  }
}

function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    throw new BuildError(`the output ${file} cannot be written: ${code}`);
  }
}

function beginsWith(file: string, wanted: Buffer): boolean {
  const descriptor = openSync(file, 'r');
  try {
    const start = Buffer.alloc(wanted.length);
    readSync(descriptor, start, 0, start.length, 0);
    return start.equals(wanted);
  } finally {
    closeSync(descriptor);
  }
}
