import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { programRoot } from './paths.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cuervo-paths-'));
  mkdirSync(join(dir, 'program/dist/chunks'), { recursive: true });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('programRoot() is the folder above sources and bundles', () => {
  mkdirSync(join(dir, 'program/wit'));
  for (const folder of ['program', 'program/dist', 'program/dist/chunks']) {
    expect(programRoot(join(dir, folder))).toBe(join(dir, 'program'));
  }
});

it('programRoot() refuses a program that is not whole, whatever lies further up', () => {
  mkdirSync(join(dir, 'wit'));
  expect(() => programRoot(join(dir, 'program/dist/chunks'))).toThrow(
    expect.objectContaining({ code: 'unavailable', message: expect.stringContaining('not whole') }),
  );
});
