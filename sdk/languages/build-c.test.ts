import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildC } from './build-c.ts';
import { parsePluginToml } from './parse-plugin-toml.ts';

const toml = parsePluginToml(
  'name = "c"\nversion = "0.1.0"\ndescription = "Counts."\n[[wants]]\ncapability = "kv"\nwhy = "keeps counts"\n',
  'plugin.toml',
);
/** As `wit-bindgen c` writes them. */
const imports = (...names: string[]): string =>
  names.map((name) => `// Imported Functions from \`cuervo:host/${name}@0.1.0\`\n`).join('');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cuervo-c-'));
  mkdirSync(join(folder, 'gen'));
  writeFileSync(join(folder, 'main.c'), '#include "plugin.h"\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** On a machine without any program. */
const build = () =>
  buildC({
    ...{ folder, toml, env: { PATH: '' }, scratch: folder },
    witFolder: resolve(import.meta.dirname, '../../wit'),
    makeComponent: async (module) => module,
  });

describe('buildC() of a program that includes plugin.h', () => {
  it('writes the world, and says what makes plugin.h of it', async () => {
    await expect(build()).rejects.toThrow(
      'there is no gen/plugin.h: install wit-bindgen: cargo install wit-bindgen-cli',
    );
    expect(readFileSync(join(folder, 'wit/world.wit'), 'utf8')).toContain('cuervo:host/kv@');
  });

  it('takes what wit-bindgen made before, of the same wants alone', async () => {
    writeFileSync(join(folder, 'gen/plugin.h'), imports('kv', 'clock'));
    await expect(build()).rejects.toThrow('gen/plugin.h has clock alone');
    writeFileSync(join(folder, 'gen/plugin.h'), imports());
    await expect(build()).rejects.toThrow('plugin.toml wants kv alone');
    writeFileSync(join(folder, 'gen/plugin.h'), imports('kv'));
    await expect(build()).rejects.toThrow('there is no C compiler');
  });
});
