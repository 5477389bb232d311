import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { gone, unreadable } from './add-documents.ts';
import { fileDocument } from './file-documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuervo-documents-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const read = (path: string) => fileDocument(folder, { path, bytes: 5, changedMs: 1 }, 10).read();

describe('fileDocument()', () => {
  it('counts unreadable and missing files apart from those that are not text or too large', async () => {
    writeFileSync(join(folder, 'a.md'), 'heron');
    writeFileSync(join(folder, 'b.bin'), 'he\0on');
    writeFileSync(join(folder, 'c.md'), 'heron heron');
    writeFileSync(join(folder, 'wide.md'), Buffer.from('\ufeffheron'.slice(0, 5), 'utf16le'));
    symlinkSync('a.md', join(folder, 'link.md'));
    const names = ['a.md', 'b.bin', 'c.md', 'wide.md', 'link.md', 'gone.md', 'a.md/gone.md'];
    expect(await Promise.all(names.map(read))).toEqual([
      ...['heron', undefined, undefined, 'hero'],
      ...[unreadable, gone, gone],
    ]);
  });

  it.skipIf(process.getuid?.() === 0)('does so of a locked file (skipped for root)', async () => {
    writeFileSync(join(folder, 'locked.md'), 'heron');
    chmodSync(join(folder, 'locked.md'), 0);
    expect(await read('locked.md')).toBe(unreadable);
  });
});
