import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { $init, generate } from '@bytecodealliance/jco-transpile/component';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engine, quickjsPlugin } from '../../../../tests/support/test-binaries.ts';
import { boundModule, planMemoryBounds } from './bound-module.ts';

const mebibyte = 2 ** 20;

type Tools = { call: (name: string, input: string) => { content: string } };
type Instantiate = (
  getCoreModule: (file: string) => object,
  imports: object,
  instantiateCore: (module: object, imports: object) => { exports: unknown },
) => Record<string, Tools>;

describe('a QuickJS plugin whose modules went through boundModule()', () => {
  let folder: string;
  let cores: [string, Uint8Array][];
  let instantiate: Instantiate;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cuervo-bound-'));
    // keeps one more string of a megabyte for each round it was asked for
    const component = await quickjsPlugin(
      [],
      `const kept = []; for (let i = 0; i < Number(input); i += 1) kept.push('x'.repeat(1048576 + i));
       return { content: String(kept.length), summary: name };`,
    );
    await $init;
    const { files } = generate(component, {
      name: 'component',
      instantiation: { tag: 'sync' },
      noTypescript: true,
      noNodejsCompat: true,
      base64Cutoff: 0,
    });
    cores = files.filter(([name]) => name.endsWith('.wasm'));
    const glue = files.find(([name]) => name === 'component.js')?.[1];
    if (!glue) throw new Error('there is no glue');
    const file = join(folder, 'component.mjs');
    await writeFile(file, glue);
    ({ instantiate } = (await import(pathToFileURL(file).href)) as { instantiate: Instantiate });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Calls the tool in a fresh instance; the bytes are those of all memories afterwards. */
  function call(megabytes: number, maxBytes: number): { kept: string | undefined; bytes: number } {
    const plan = planMemoryBounds(
      cores.map(([, bytes]) => bytes),
      maxBytes,
    );
    const modules = new Map(
      cores.map(([name, bytes], index) => {
        const bounded = boundModule(bytes, {
          maxPages: plan[index] ?? [],
          maxTableElements: 10_000,
        });
        return [name, new engine.Module(Uint8Array.from(bounded))];
      }),
    );
    const memories = new Set<{ buffer: ArrayBuffer }>();
    const { tools } = instantiate(
      (file) => modules.get(file) ?? {},
      {},
      (module, imports) => {
        const instance = new engine.Instance(module, imports);
        for (const value of Object.values(instance.exports as object)) {
          if (value instanceof engine.Memory) memories.add(value);
        }
        return instance;
      },
    );
    let kept: string | undefined;
    try {
      kept = tools?.call('keep', String(megabytes)).content;
    } catch {
      // out of memory inside the guest: an error of its own, or a trap
    }
    const bytes = [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
    return { kept, bytes };
  }

  it('works, below the bound', () => {
    expect(call(5, 32 * mebibyte).kept).toBe('5');
  });

  it('does not get past the bound in the sum of its memories', () => {
    const { kept, bytes } = call(100, 32 * mebibyte);
    expect(kept).toBeUndefined();
    expect(bytes).toBeLessThanOrEqual(32 * mebibyte);
    // it did try: most of what it was given is taken
    expect(bytes).toBeGreaterThan(16 * mebibyte);
  });

  it('is stopped by nothing else: with a larger bound the same call takes more', () => {
    const { kept, bytes } = call(100, 256 * mebibyte);
    expect(kept).toBe('100');
    expect(bytes).toBeGreaterThan(100 * mebibyte);
  });
});
