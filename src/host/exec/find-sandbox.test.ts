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
    writeFileSync(bwrap, '#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 0.8.0\n', {
      mode: 0o755,
    });
    try {
      expect(await findSandbox('os', 'linux', () => bwrap)).toMatchObject({
        tier: 'missing',
        reason: 'bubblewrap is installed and may not make a sandbox here',
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
  it.each([
    ['bubblewrap 0.4.1', { disableUserns: false, size: false }],
    ['bubblewrap 0.7.0', { disableUserns: false, size: true }],
    ['bubblewrap 0.8.0\n', { disableUserns: true, size: true }],
    ['bubblewrap 0.11.0', { disableUserns: true, size: true }],
    ['bubblewrap 1.0', { disableUserns: true, size: true }],
    ['', { disableUserns: false, size: false }],
  ])('reads %j', (version, features) => expect(featuresOf(version)).toEqual(features));
});
