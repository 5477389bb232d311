import { renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Replaces a file in one step: a reader, or a crash in the middle, never sees half of it.
 *
 * @param options.flush false leaves it to the system when the bytes reach the disk; a power cut may
 *   then leave less of them
 */
export function writeFileWhole(
  path: string,
  content: Uint8Array | string,
  options: { mode?: number; flush?: boolean } = {},
): void {
  const partial = `${path}.${process.pid}.part`;
  try {
    const { mode = 0o600, flush = true } = options;
    // A link of this name, which a repository may bring along, is not followed.
    rmSync(partial, { force: true });
    withPath(path, () => writeFileSync(partial, content, { mode, flush, flag: 'wx' }));
    renameSync(partial, path);
  } catch (thrown) {
    rmSync(partial, { force: true });
    throw thrown;
  }
}

/**
 * Names the file in what the system throws while it is written: Node does so only where it is
 * opened.
 */
export function withPath<Value>(path: string, work: () => Value): Value {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof Error && !('path' in thrown)) Object.assign(thrown, { path });
    throw thrown;
  }
}
