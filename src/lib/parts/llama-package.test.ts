import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { llamaPackage } from './llama-package.ts';

describe('llamaPackage()', () => {
  it('finds the build for this system', () => {
    const folder = llamaPackage();
    expect(existsSync(join(folder, 'package.json'))).toBe(true);
  });

  it.each([
    [{ platform: 'linux', arch: 'x64', isMusl: true }, 'linux-x64 with musl'],
    [{ platform: 'linux', arch: 's390x', isMusl: false }, 'linux-s390x'],
    [{ platform: 'aix', arch: 'ppc64', isMusl: false }, 'aix-ppc64'],
  ])('refuses %j by name', (system, name) => {
    expect(() => llamaPackage(system)).toThrow(
      `GGUF models do not run on ${name}: llama.cpp has no build for it`,
    );
  });

  it('names the package that was left out', () => {
    const system = { platform: 'win32', arch: 'x64', isMusl: false };
    expect(() => llamaPackage(system)).toThrow('@node-llama-cpp/win-x64 is not installed');
  });
});
