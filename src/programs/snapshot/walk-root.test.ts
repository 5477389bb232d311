import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { look } from './walk-root.ts';

const folder = mkdtempSync(join(tmpdir(), 'walk-root-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.skipIf(process.platform !== 'linux')(
  'look() tells times apart that differ by a nanosecond',
  () => {
    const file = join(folder, 'a');
    writeFileSync(file, '');
    for (const mtimeNs of ['1700000000999999998', '1700000000999999999']) {
      execFileSync('touch', ['-d', `@${mtimeNs.slice(0, 10)}.${mtimeNs.slice(10)}`, file]);
      expect(look(file)).toMatchObject({ mtimeNs });
    }
  },
);
