import { chmodSync, closeSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createProcessSandbox } from './process-sandbox.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuervo-sandbox-'));
const broken = join(folder, 'bwrap');
writeFileSync(broken, '#!/bin/sh\necho "bwrap: no permissions" >&2\nexit 1\n');
chmodSync(broken, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const place = { bundle: '/x.cjs', roots: { work: folder }, withheld: {} };
const close = (inherited: readonly (number | Uint8Array)[]): void => {
  for (const what of inherited) if (typeof what === 'number') closeSync(what);
};

describe('createProcessSandbox()', () => {
  it('says what is missing and the command that brings it', () => {
    const sandbox = createProcessSandbox('auto', { platform: 'linux', folders: ['/nowhere'] });
    expect(sandbox.tier()).toEqual({
      name: 'process',
      reason: 'bubblewrap is not installed',
      fix: 'sudo apt-get install bubblewrap',
    });
    expect(
      createProcessSandbox('auto', { platform: 'win32', folders: [folder] }).tier(),
    ).toMatchObject({
      name: 'process',
      reason: 'cuervo knows none on win32',
    });
  });

  it('takes a sandbox that is there at its word until a probe ran in it', () => {
    const sandbox = createProcessSandbox('auto', { platform: 'linux', folders: [folder] });
    expect(sandbox.tier()).toEqual({ name: 'os' });
    expect(sandbox.launch(place)).toMatchObject({ tier: 'os', program: broken });
    expect(sandbox.probe()).toMatchObject({
      name: 'process',
      reason: expect.stringContaining('bwrap: no permissions'),
    });
    const launch = sandbox.launch(place);
    expect(launch).toMatchObject({ tier: 'process', program: process.execPath });
    close(launch.inherited);
  });

  it('starts nothing without the sandbox that the configuration wants', () => {
    const sandbox = createProcessSandbox('os', { platform: 'linux', folders: ['/nowhere'] });
    expect(() => sandbox.launch(place)).toThrow(
      expect.objectContaining({
        code: 'unavailable',
        message: expect.stringContaining('bubblewrap is not installed'),
        hint: 'sudo apt-get install bubblewrap',
      }),
    );
  });

  it('takes none where the configuration says so', () => {
    const sandbox = createProcessSandbox('none', { platform: 'linux', folders: [folder] });
    expect(sandbox.probe()).toMatchObject({
      name: 'process',
      reason: expect.stringContaining('none'),
    });
    const launch = sandbox.launch(place);
    expect(launch.tier).toBe('process');
    close(launch.inherited);
  });
});
