import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeStamps } from './packed-files.ts';
import type { PluginRecord } from './plugin-record.ts';
import { openPluginStore, type PluginStore } from './plugin-store.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cuervo-plugins-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const names = (): string[] => readdirSync(join(home, 'plugins'));

/** An install in a process of its own, as far as the folder in which it prepares. */
async function beginInstall() {
  const module = join(import.meta.dirname, 'plugin-store.ts');
  const script = `
    const { openPluginStore } = await import(${JSON.stringify(module)});
    const path = openPluginStore(${JSON.stringify(home)}).staging();
    (await import('node:fs')).writeFileSync(path + '/glue.js', 'half');
    console.log(path);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    path: line.toString().trim(),
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}

describe('the folder in which a plugin is prepared', () => {
  it('is removed by the next install once its process was killed, and not before', async () => {
    const install = await beginInstall();
    const store = openPluginStore(home);
    const mine = store.staging();
    expect(existsSync(join(install.path, 'glue.js'))).toBe(true);
    await install.kill();
    const next = store.staging();
    expect(existsSync(install.path)).toBe(false);
    expect([existsSync(mine), existsSync(next)]).toEqual([true, true]);
    expect(statSync(next).mode & 0o777).toBe(0o700);
  });

  it('leaves what belongs to no install alone', () => {
    for (const name of ['a'.repeat(64), '.staging-', '.staging-abc', '.staging-abc-abcdef'])
      mkdirSync(join(home, 'plugins', name), { recursive: true });
    const before = names();
    rmSync(openPluginStore(home).staging(), { recursive: true });
    expect(names()).toEqual(before);
  });
});

describe('a store beside another one', () => {
  const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
  const engine = Buffer.alloc(200_000, 'engine ');
  const component = Buffer.alloc(300_000, 'component ');
  const glue = Buffer.from('glue');

  const record = (name: string): PluginRecord => ({
    ...{ name, version: '1.0.0', description: 'Is kept.', sha256: digestOf(component) },
    ...{ size: component.length, imports: [], exports: [], wants: [], tools: [] },
    ...{ transpiler: '', pages: {}, maxPages: 1, source: 'x.wasm', installedMs: 0 },
    files: { 'component.core.wasm': digestOf(engine), 'component.js': digestOf(glue) },
  });

  const added = (folder: string, beside?: PluginStore): PluginStore => {
    const store = openPluginStore(folder, beside === undefined ? {} : { beside });
    const staging = store.staging();
    writeFileSync(join(staging, 'component.wasm'), component);
    writeFileSync(join(staging, 'component.core.wasm'), engine);
    writeFileSync(join(staging, 'component.js'), glue);
    store.add(record('kept'), staging);
    return store;
  };

  it('keeps binaries packed, gives them as they were, and refuses a changed one', () => {
    const plain = added(join(home, 'plain'));
    const packed = added(join(home, 'packed'), plain);
    const [own] = packed.list() as [PluginRecord];
    const folder = packed.folderOf(own);
    expect(readdirSync(folder).toSorted()).toEqual([
      'component.core.wasm.zst',
      'component.js',
      'component.wasm.zst',
      'stamps.json',
    ]);
    expect([...packed.read(own)].map(({ bytes }) => Buffer.from(bytes))).toEqual([engine, glue]);
    expect(packed.component(own)).toEqual(component);
    const file = join(folder, 'component.wasm.zst');
    const bytes = readFileSync(file);
    bytes[10] = (bytes[10] as number) ^ 1;
    writeFileSync(file, bytes);
    expect(() => packed.verify(own)).toThrow('component.wasm.zst changed on disk');
    expect(packed.component(own)).toBeUndefined();
  });

  it('packs a component as what it has beside its modules, and gives none where they changed', () => {
    const noise = (length: number, seed: number): Buffer => {
      let state = seed;
      return Buffer.from(
        Uint8Array.from({ length }, () => {
          state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
          return state >> 16;
        }),
      );
    };
    const [first, second] = [noise(150_000, 1), noise(200_000, 2)];
    const whole = Buffer.concat([Buffer.from('a'), first, Buffer.from('b'), second, noise(10, 3)]);
    const store = openPluginStore(home, { beside: openPluginStore(join(home, 'none')) });
    const staging = store.staging();
    const files = { 'component.core.wasm': first, 'component.core2.wasm': second };
    for (const [name, bytes] of Object.entries({ ...files, 'component.wasm': whole }))
      writeFileSync(join(staging, name), bytes);
    const digests = Object.entries(files).map(([name, bytes]) => [name, digestOf(bytes)]);
    store.add(
      { ...record('whole'), sha256: digestOf(whole), files: Object.fromEntries(digests) },
      staging,
    );
    const [own] = store.list() as [PluginRecord];
    const folder = store.folderOf(own);
    expect(statSync(join(folder, 'component.wasm.zst')).size).toBeLessThan(5_000);
    expect(store.component(own)).toEqual(whole);
    writeFileSync(join(folder, 'component.core2.wasm.zst'), 'changed');
    expect(store.component(own)).toBeUndefined();
    expect(() => store.verify(own)).toThrow('component.core2.wasm.zst changed on disk');
  });

  it('reads no file for a quick look that looks as it did, and each that does not', () => {
    const store = added(join(home, 'quick'), openPluginStore(join(home, 'none')));
    const [own] = store.list() as [PluginRecord];
    const file = join(store.folderOf(own), 'component.js');
    const { atimeMs, mtimeMs } = statSync(file);
    writeFileSync(file, 'blue');
    const quick = () => store.verify(own, { isQuick: true });
    expect(quick).toThrow('component.js changed on disk');
    // The same size and time: nobody looks inside but who loads it.
    utimesSync(file, atimeMs / 1000, mtimeMs / 1000);
    const { 'component.js': digest = '' } = own.files;
    writeStamps(store.folderOf(own), { 'component.js': digest });
    expect(quick).not.toThrow();
    expect(() => store.verify(own)).toThrow('component.js changed on disk');
    expect(() => [...store.read(own)]).toThrow('component.js changed on disk');
    for (const odd of ['', '[]', 'null', '{"component.js":{"digest":"x"}}']) {
      writeFileSync(join(store.folderOf(own), 'stamps.json'), odd);
      expect(quick).toThrow('component.js changed on disk');
    }
  });

  it('unpacks what the other store does not have, or has changed', () => {
    const plain = added(join(home, 'other'));
    const packed = added(join(home, 'alone'), plain);
    const [own] = packed.list() as [PluginRecord];
    const [other] = plain.list() as [PluginRecord];
    expect(plain.plainFile(digestOf(engine))).toEqual(engine);
    writeFileSync(join(plain.folderOf(other), 'component.core.wasm'), 'changed');
    expect(plain.plainFile(digestOf(engine))).toBeUndefined();
    expect([...packed.read(own)].map(({ bytes }) => Buffer.from(bytes))).toEqual([engine, glue]);
  });
});
