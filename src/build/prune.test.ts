import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { prune } from './builtins.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const onnx = (system: string) => `onnxruntime-node/bin/napi-v6/${system}/onnxruntime_binding.node`;

function folderWith(files: readonly string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'cuervo-prune-'));
  folders.push(root);
  for (const file of files) {
    const path = join(root, 'node_modules', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'library');
  }
  return root;
}

describe('prune()', () => {
  it('keeps the libraries of this system and removes those of others', () => {
    const own = [onnx('linux/arm64'), '@node-llama-cpp/linux-arm64/bins'];
    const others = [
      onnx('linux/x64'),
      onnx('darwin/arm64'),
      onnx('win32/x64'),
      '@node-llama-cpp/linux-x64/bins',
    ];
    const root = folderWith([...own, ...others]);
    prune(root, { platform: 'linux', arch: 'arm64' });
    const isThere = (file: string) => existsSync(join(root, 'node_modules', file));
    expect(own.filter((file) => !isThere(file))).toEqual([]);
    expect(others.filter(isThere)).toEqual([]);
  });

  it('touches no file that it does not name', () => {
    const kept = [
      'onnxruntime-node/dist/index.js',
      'onnxruntime-node/bin/napi-v6/linux/riscv64/onnxruntime_binding.node',
      '@huggingface/transformers/dist/transformers.node.mjs',
      '@bytecodealliance/componentize-js/lib/starlingmonkey_embedding.wasm',
      'better-sqlite3/lib/index.js',
    ];
    const root = folderWith(kept);
    prune(root, { platform: 'linux', arch: 'x64' });
    expect(kept.filter((file) => !existsSync(join(root, 'node_modules', file)))).toEqual([]);
  });

  it('left this installation what it loads', async () => {
    const modules = resolve(import.meta.dirname, '../../node_modules');
    expect(existsSync(join(modules, onnx(`${process.platform}/${process.arch}`)))).toBe(true);
    expect(existsSync(join(modules, onnx('win32/x64')))).toBe(process.platform === 'win32');
    const { AutoModel } = await import('@huggingface/transformers');
    expect(typeof AutoModel.from_pretrained).toBe('function');
  });
});
