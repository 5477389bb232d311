import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeReadable } from './builtins.ts';

it('makeReadable() opens folders and files to everybody, and follows no link', () => {
  const outside = mkdtempSync(join(tmpdir(), 'make-readable-'));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  const modeOf = (name: string) => statSync(join(outside, name)).mode & 0o777;
  mkdirSync(join(outside, 'built', 'plugins'), { recursive: true, mode: 0o700 });
  for (const name of ['own', 'built/plugins.lock', 'built/plugins/core.wasm'])
    writeFileSync(join(outside, name), '', { mode: 0o600 });
  symlinkSync('../own', join(outside, 'built', 'link'));
  makeReadable(join(outside, 'built'));
  expect([modeOf('built'), modeOf('built/plugins')]).toEqual([0o755, 0o755]);
  expect([modeOf('built/plugins.lock'), modeOf('built/plugins/core.wasm')]).toEqual([0o644, 0o644]);
  expect(modeOf('own')).toBe(0o600);
});
