import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../sha256.ts';
import { findPackage, loadPackage, writeManifest } from './optional-part.ts';
import { partLock } from './part-lock.ts';
import { thisSystem } from './parts.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuervo-parts-'));
const place = (name: string) => {
  const at = join(folder, name);
  return { root: join(at, 'cuervo'), packages: join(at, 'home/packages') };
};
const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

beforeAll(() => {
  write(join(place('clone').root, 'node_modules/esbuild/lib/main.js'), 'exports.from = "clone"');
  const part = join(place('added').packages, partLock('build', thisSystem()).folder);
  const added = 'node_modules/esbuild';
  write(join(part, added, 'package.json'), '{}');
  write(join(part, added, 'lib/main.js'), 'exports.from = "added"');
  const text = { 'package.json': '{}', 'lib/main.js': 'exports.from = "added"' };
  const hashes = Object.entries(text).map(
    ([name, each]) => [`${added}/${name}`, sha256(each)] as const,
  );
  writeManifest(part, new Map(hashes));
  const around = join(dirname(place('around').root), 'node_modules/esbuild');
  write(join(around, 'package.json'), '{}');
  write(join(around, 'lib/main.js'), 'exports.from = "around"');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('loadPackage()', () => {
  it.each(['clone', 'added'])('takes a package from %s', async (name) => {
    const { from } = await loadPackage<{ from: string }>('esbuild', place(name));
    expect(from).toBe(name);
  });

  it.each(['nowhere', 'around'])('names the command where it lies %s', async (name) => {
    await expect(loadPackage('esbuild', place(name))).rejects.toMatchObject({
      code: 'unavailable',
      message: 'plugins built from source need the part "build", which is not installed',
      hint: 'Run: cuervo add build',
    });
    expect(() => findPackage('@huggingface/transformers', place(name))).toThrow('"sentence"');
  });
});
