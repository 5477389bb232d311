import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { featuresOf, findSandbox } from './find-sandbox.ts';

describe('findSandbox()', () => {
  it('names what is missing and the command of the packager that is there', async () => {
    const only = (packager: string) => (name: string) =>
      name === packager ? `/usr/bin/${packager}` : undefined;
    expect(await findSandbox('os', 'linux', only('apt-get'))).toEqual({
      tier: 'missing',
      reason: 'bubblewrap is not installed',
      fix: 'sudo apt-get install bubblewrap',
    });
    expect(await findSandbox('os', 'linux', only('apk'))).toMatchObject({
      fix: 'sudo apk add bubblewrap',
    });
    expect(await findSandbox('os', 'linux', () => undefined)).toMatchObject({
      fix: 'install bubblewrap',
    });
  });

  it('trusts none that may not make a sandbox', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cuervo-bwrap-'));
    const bwrap = join(folder, 'bwrap');
    writeFileSync(bwrap, '#!/bin/sh\n[ "$1" = --help ]\n', {
      mode: 0o755,
    });
    try {
      expect(await findSandbox('os', 'linux', () => bwrap)).toMatchObject({
        tier: 'missing',
        reason: 'bubblewrap is installed but cannot make a sandbox here',
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it.each([
    ['keeps nothing from anybody', 'shift 2; exec "$@"', 'let a program read what its profile'],
    ['starts nothing', 'exit 1', 'starts no program here'],
    [
      'writes where all is read-only',
      'shift 2; case "$*" in *withheld) exit 1; esac; exec "$@"',
      'let a program write where all is read-only',
    ],
    [
      'writes nowhere',
      'shift 2; case "$*" in *withheld|*copy) exit 1; esac; exec "$@"',
      'lets no program write where it may',
    ],
  ])('trusts no Seatbelt that %s', async (_, script, reason) => {
    const folder = mkdtempSync(join(tmpdir(), 'cuervo-seatbelt-test-'));
    const sandboxExec = join(folder, 'sandbox-exec');
    writeFileSync(sandboxExec, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    try {
      expect(await findSandbox('os', 'darwin', () => sandboxExec)).toMatchObject({
        tier: 'missing',
        reason: expect.stringContaining(reason),
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('knows none on other systems, and looks for none where a person wants none', async () => {
    for (const platform of ['win32', 'darwin'])
      expect(await findSandbox('os', platform)).toMatchObject({ tier: 'missing' });
    expect(await findSandbox('none', 'win32')).toEqual({ tier: 'none' });
  });
});

describe('featuresOf()', () => {
  const all = { disableUserns: true, size: true, bindFd: true };
  it.each([
    ['    --disable-userns   Disable', { ...all, size: false, bindFd: false }],
    ['    --size BYTES   Set size', { ...all, disableUserns: false, bindFd: false }],
    ['    --size BYTES\n    --bind-fd FD DEST\n    --disable-userns\n', all],
    [
      '    --bind SRC DEST\n    --assert-userns-disabled',
      { disableUserns: false, size: false, bindFd: false },
    ],
    ['', { disableUserns: false, size: false, bindFd: false }],
  ])('reads %j', (help, features) => expect(featuresOf(help)).toEqual(features));
});
