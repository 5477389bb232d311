import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { smallGguf } from '../../../tests/fixtures/small-gguf.ts';
import { unconfined as confine } from '../../../tests/support/unconfined.ts';
import { openLlama } from '../open-llama.ts';
import { checkMemory } from './gguf-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuervo-memory-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file of any size that takes no room on the disk, with a header that fits to it. */
function writeSparse(name: string, bytes: number): string {
  const path = join(folder, name);
  const fd = openSync(path, 'w');
  const head = smallGguf({ floats: 0, claims: BigInt(Math.floor((bytes - 1_024) / 4)) });
  writeSync(fd, head);
  ftruncateSync(fd, bytes);
  closeSync(fd);
  return path;
}

describe('checkMemory()', () => {
  it('refuses a model that the memory does not hold, with all its parts', () => {
    const path = writeSparse('a-00001-of-00002.gguf', 6e9);
    expect(() => checkMemory(path, 8e9)).not.toThrow();
    writeSparse('a-00002-of-00002.gguf', 6e9);
    expect(() => checkMemory(path, 8e9)).toThrow(
      expect.objectContaining({
        code: 'resource-exhausted',
        message: `the model ${path} has 12.0 GB, and this machine 8.0 GB of memory`,
      }),
    );
  });

  it('comes before anything is loaded, of a sparse file of 200 GB, too', async () => {
    const path = writeSparse('huge.gguf', 200e9);
    // No process could be started with this: the refusal comes first.
    const opening = openLlama({ path, childPath: '/nonexistent', confine });
    await expect(opening).rejects.toMatchObject({
      code: 'resource-exhausted',
      message: expect.stringContaining('has 200.0 GB'),
    });
  });
});
