import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { componentize } from 'componentize-qjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { readItems } from './component-items.ts';
import { readCoreModule } from './core-module.ts';
import { readSections } from './wasm-bytes.ts';
import { withoutWasi } from './without-wasi.ts';

const world = `package test:small;
interface clock { now: func() -> u64; }
world plugin { import clock; export twice: func(value: u32) -> u32; }`;
const source = `import { now } from 'test:small/clock';
export const twice = (value) => 2 * value + Number(now());`;

const componentIn = 4;
const emptyComponent = Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x0d, 0x00, 0x01, 0x00);

describe('withoutWasi()', () => {
  let engine: Uint8Array;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cuervo-without-wasi-'));
    try {
      writeFileSync(join(folder, 'world.wit'), world);
      const options = { witPath: folder, jsSource: source, world: 'plugin', sync: true };
      ({ component: engine } = await componentize({ ...options, stubWasi: false }));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('leaves the imports of the world, and one component', () => {
    const before = readItems(engine).filter(({ kind }) => kind === 'import');
    expect(before.length).toBeGreaterThan(10);
    const made = withoutWasi(engine);
    const imports = readItems(made).flatMap((item) => (item.kind === 'import' ? [item.name] : []));
    expect(imports).toEqual(['test:small/clock']);
    const nested = readSections(made).filter(({ id }) => id === componentIn);
    for (const { content } of nested) {
      expect(readSections(content).some(({ id }) => id === 1)).toBe(false);
    }
  });

  it('gives the engine functions that trap, in modules that are valid', () => {
    const modules = readItems(withoutWasi(engine)).filter(({ kind }) => kind === 'module');
    for (const { bytes } of modules)
      expect(WebAssembly.validate(Uint8Array.from(bytes))).toBe(true);
    const [standIn] = modules.filter(({ bytes }) =>
      readCoreModule(bytes).exports.some((name) => name.startsWith('wasi:')),
    );
    const { imports, exports } = readCoreModule(standIn?.bytes ?? emptyComponent);
    expect(imports).toEqual([]);
    expect(exports).toContain('wasi:clocks/wall-clock@0.2.12#now');
  });

  it('refuses a component that is not of the engine', () => {
    expect(() => withoutWasi(emptyComponent)).toThrow(/no adapter of WASI/);
  });
});
