import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlace } from './support/place.ts';
import { twoLines } from './support/run-cuervo.ts';

const files = {
  'src/retry.ts': '// how often a failed upload is sent again\nexport const maxRetries = 5;\n',
  'docs/birds.md': '# Birds\n\nThe heron stands in shallow water.\n',
};

describe('cuervo index', () => {
  it('reads the files of the workspace once, and what changed again', async () => {
    using place = openPlace(files);
    const index = (...args: string[]) => place.cuervo(['index', ...args, '--json']);
    expect((await index('--status')).rows).toEqual([{ files: 0, changed: 0, added: 0, gone: 0 }]);
    expect((await index()).rows[0]).toMatchObject({ added: 2, chunks: 2 });
    expect((await index()).rows[0]).toMatchObject({ added: 0, unchanged: 2, chunks: 0 });
    writeFileSync(join(place.work, 'src/retry.ts'), 'export const maxRetries = 55;\n');
    rmSync(join(place.work, 'docs'), { recursive: true });
    expect((await index('--status')).rows).toEqual([{ files: 2, changed: 1, added: 0, gone: 1 }]);
    expect((await index()).rows[0]).toMatchObject({ added: 1, chunks: 1, removed: 2, gone: 1 });
    expect((await index('--remove')).rows).toEqual([{ rows: 1 }]);
    expect((await index('--status')).rows[0]).toMatchObject({ files: 0 });
  });

  it('says what it did, and what contradicts itself', async () => {
    using place = openPlace(files);
    const done = await place.cuervo(['index']);
    expect(done.stdout).toBe('read 2 files, wrote 2 pieces; 0 files are as they were\n');
    expect((await place.cuervo(['index', '--status'])).stdout).toContain('it is up to date');
    const both = await place.cuervo(['index', '--status', '--remove']);
    expect(both.code).toBe(2);
    expect(twoLines(both).error).toContain('--remove');
  });
});
