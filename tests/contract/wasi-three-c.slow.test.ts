import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { componentEmbed, componentNew } from '@bytecodealliance/jco-transpile/wasm-tools';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findZig } from '../../sdk/languages/build-c.ts';
import { runToolchain } from '../../sdk/languages/run-toolchain.ts';
import { openPlace, type Place } from '../support/place.ts';
import { toolchainEnv } from '../support/toolchain-env.ts';

const source = join(import.meta.dirname, 'support/wasi-three-c');
const zig = findZig(process.env) ?? [];
const flags = ['-target', 'wasm32-freestanding', '-nostdlib', '-Wl,--no-entry'];

/** Asynchronous functions of C, under the names that `wit-bindgen c` gives them. */
describe.skipIf(zig.length === 0)('WASI 0.3, by C (ziglang)', () => {
  let place: Place;
  beforeAll(async () => {
    place = openPlace();
    const made = join(place.dir, 'made.wasm');
    await runToolchain(
      [...zig, 'cc', ...flags, '-Os', '-s', '-Wall', '-Werror', '-o', made, 'main.c'],
      { folder: source, env: { ...process.env, ...toolchainEnv } },
    );
    const embedded = await componentEmbed({
      binary: readFileSync(made),
      witSource: readFileSync(join(source, 'world.wit'), 'utf8'),
      world: 'w',
      stringEncoding: 'utf8',
    });
    const file = join(place.dir, 'three.wasm');
    writeFileSync(file, await componentNew(embedded, []));
    await place.cuervo(['plugin', 'install', file, '--yes']);
  });
  afterAll(() => place[Symbol.dispose]());

  it.each([
    ['order', { a: 30, b: 10, c: 20 }, '231\n'],
    ['order', { a: 10, b: 20, c: 30 }, '123\n'],
    ['count', { to: 5 }, 'AAECAwQ=\n'],
    ['count', { to: 0 }, '\n'],
  ])('%s of %j gives %j', async (tool, input, expected) => {
    const ran = await place.cuervo(['run', `three.${tool}`, JSON.stringify(input)]);
    expect(ran.stdout, ran.stderr).toBe(expected);
  });
});
