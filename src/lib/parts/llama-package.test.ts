import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { llamaPackage } from './parts.ts';

describe('llamaPackage()', () => {
  it('finds the build for this system', () => {
    const folder = llamaPackage();
    expect(existsSync(join(folder, 'package.json'))).toBe(true);
  });

  it.each([
    [{ os: 'linux', cpu: 'x64', libc: 'musl' as const }, 'linux-x64 with musl'],
    [{ os: 'linux', cpu: 's390x', libc: 'glibc' as const }, 'linux-s390x'],
    [{ os: 'aix', cpu: 'ppc64' }, 'aix-ppc64'],
  ])('refuses %j by name', (system, name) => {
    expect(() => llamaPackage(system)).toThrow(
      `GGUF models do not run on ${name}: llama.cpp has no build for it`,
    );
  });

  it('names the package that was left out', () => {
    const system = { os: 'win32', cpu: 'x64' };
    expect(() => llamaPackage(system)).toThrow('@node-llama-cpp/win-x64 is not installed');
  });
});
