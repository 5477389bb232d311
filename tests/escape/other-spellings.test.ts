import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
import type { Ran } from '../support/run-cuervo.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { foldingDisk, mountFolding } from './support/folding-disk.ts';
import { expectFailure, expectSuccess, type Place, put, usePlace } from './support/place.ts';

const fill = (folder: string): void => {
  put(folder, '.env', 'TOKEN=spelled-otherwise\n');
  put(folder, 'notes/private.txt', 'spelled-otherwise\n');
  put(folder, 'plain.txt', 'plain\n');
  put(folder, 'cuervo.toml', 'protected = ["notes/private.txt"]\n');
};

let folding = '';
const place = usePlace({
  fill: async (made: Place) => {
    if (!foldingDisk.isThere()) return;
    folding = mountFolding(made.dir);
    fill(folding);
    fill(made.work);
    await made.install(await buildGuest('program-runner'));
  },
});
afterAll(() => {
  if (folding !== '') execFileSync('/usr/bin/umount', ['-l', folding]);
});

const sh = (text: string, workspace: string, grants: readonly string[] = []): Promise<Ran> =>
  place.run(
    'program-runner.go',
    { program: 'sh', args: ['-c', text] },
    { workspace, allow: ['fs:work', 'exec:sh', ...grants] },
  );

escapeCase('name in another case', {
  needs: foldingDisk,
  denied: [
    [
      'no program runs where a mask covers one spelling alone',
      async () => {
        const ran = await sh('cat .ENV NOTES/PRIVATE.TXT', folding);
        expectFailure(place, ran, { code: 'permission-denied', exit: 3, says: /another spelling/ });
        expect(ran.stdout + ran.stderr).not.toContain('spelled-otherwise');
      },
    ],
    [
      'nor does one that may write change what keeps it out',
      async () => {
        const text = 'echo "protected = []" > CUERVO.TOML; mkdir .GIT';
        const ran = await sh(text, folding, ['fs-write:work']);
        expectFailure(place, ran, { code: 'permission-denied', exit: 3, says: /another spelling/ });
        expect(readdirSync(folding)).not.toContain('.GIT');
      },
    ],
    [
      'a tool reads a protected name in no spelling',
      async () => {
        for (const path of ['.ENV', '.Env', '.\u0065nV', 'NOTES/private.TXT']) {
          const args = ['run', 'file.read', JSON.stringify({ path }), '-w', folding];
          const { exitCode, stderr } = await place.cuervo(args);
          expect({ path, exitCode }).toEqual({ path, exitCode: 3 });
          expect(stderr).toContain('is a protected file');
        }
      },
    ],
  ],
  control: [
    'a plain file is read in another case there, and programs run on a disk that tells names apart',
    async () => {
      const args = ['run', 'file.read', '{"path":"PLAIN.TXT"}', '-w', folding];
      expect((await place.cuervo(args)).stdout).toContain('plain');
      const shown = expectSuccess(await sh('cat plain.txt; cat .ENV', place.work));
      expect((shown as { stdout: string }).stdout).toBe('plain\n');
    },
  ],
});
