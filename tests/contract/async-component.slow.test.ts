import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { componentize } from 'componentize-qjs';
import { afterAll, expect, it } from 'vitest';
import { openPlace } from '../support/place.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuervo-async-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['its defaults, which are asynchronous', {}],
  ['--sync', { sync: true }],
])('a component of componentize-qjs with %s runs', async (_, options) => {
  const witPath = join(folder, 'world.wit');
  writeFileSync(witPath, 'package t:t; world w { export add: func(a: u32, b: u32) -> u32; }');
  const jsSource = 'export function add(a, b) { return a + b; }';
  const { component } = await componentize({ witPath, jsSource, world: 'w', ...options });
  using place = openPlace();
  const file = join(place.work, 'sum.wasm');
  writeFileSync(file, component);
  await place.cuervo(['plugin', 'install', file, '--yes']);
  const ran = await place.cuervo(['run', 'sum.add', '{"a": 40, "b": 2}']);
  expect(ran.stdout.trim()).toBe('42');
});
