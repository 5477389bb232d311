import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildPlugin } from './build-plugin.ts';
import { checkOutput } from './check-output.ts';

const root = resolve(import.meta.dirname, '../..');
const dir = mkdtempSync(join(tmpdir(), 'cuervo-build-'));
afterAll(() => rmSync(dir, { recursive: true }));

const build = (folder: string, out?: string) =>
  buildPlugin({
    folder,
    ...(out === undefined ? {} : { out }),
    engine: 'quickjs',
    sdkFolder: join(root, 'sdk'),
    witFolder: join(root, 'wit'),
  });

describe('buildPlugin()', () => {
  it('says which folder is not there, or what is missing in it, and nothing of the bundler', async () => {
    const nowhere = join(dir, 'nosuch');
    await expect(build(nowhere)).rejects.toThrow(/^the folder \S+\/nosuch does not exist$/);
    await expect(build(dir)).rejects.toThrow(/^the folder \S+ has no plugin\.ts or plugin\.js$/);
  });

  it('does not replace a source by its binary', async () => {
    const folder = join(root, 'examples/plugins/wordcount');
    const source = join(dir, 'source.ts');
    writeFileSync(source, 'export default 1;\n');
    await expect(build(folder, source)).rejects.toThrow('is no WebAssembly binary');
    expect(readFileSync(source, 'utf8')).toBe('export default 1;\n');
  });
});

describe('checkOutput()', () => {
  it('lets a new file and an earlier binary pass', () => {
    const binary = join(dir, 'old.wasm');
    writeFileSync(binary, new Uint8Array([0, 0x61, 0x73, 0x6d, 13, 0, 1, 0]));
    expect(() => checkOutput(binary)).not.toThrow();
    expect(() => checkOutput(join(dir, 'new.wasm'))).not.toThrow();
  });

  it('refuses a folder and an empty file', () => {
    const empty = join(dir, 'empty');
    writeFileSync(empty, '');
    expect(() => checkOutput(dir)).toThrow('is a folder');
    expect(() => checkOutput(empty)).toThrow('is no WebAssembly binary');
  });
});
