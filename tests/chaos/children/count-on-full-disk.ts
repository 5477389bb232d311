import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stampsBelow } from '../../../src/host/words/file-stamp.ts';
import { openKernel } from '../../../src/index.ts';
import { createWordFiles } from '../../../src/kernel/word-files.ts';

/**
 * Counts the words of a file where the disk of the home is full, and prints what came of it.
 *
 * `node count-on-full-disk.ts WORK HOME`, HOME the mount point of a small file system
 */
const [work = '', home = ''] = process.argv.slice(2);
writeFileSync(join(work, 'a.ts'), 'export const heron = 1;\n');
await using kernel = await openKernel({ home, workspace: work });
try {
  writeFileSync(join(home, 'filler'), Buffer.alloc(64 * 1024 * 1024));
} catch {
  // It is full now.
}
const stamp = stampsBelow(work)('a.ts');
if (stamp === undefined) throw new Error('the file was not written');
const { signal } = new AbortController();
// What was changed a moment ago is not counted.
const clock = { nowMs: () => Date.now() + 3_600_000 };
const words = createWordFiles({ config: kernel.config, clock });
const failed = await words
  .update([{ path: 'a.ts', ...stamp }], { signal })
  .catch((thrown: unknown) => thrown);
const { code, message } = failed as { code?: string; message?: string };
console.log(JSON.stringify({ code, message }));
