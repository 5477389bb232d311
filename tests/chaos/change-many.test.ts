import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { changeMany } from './support/change-many.ts';

const hasSandbox = process.platform !== 'linux' || existsSync('/usr/bin/bwrap');

// The long form has 50,000 files: node tests/chaos/long-changes.ts files
describe.skipIf(!hasSandbox)('many files (needs: sudo apt-get install bubblewrap)', () => {
  it('that a program changed are found and taken back', async () => {
    expect(await changeMany(3000)).toMatchObject({ failures: [], changes: 3301 });
  });
});
