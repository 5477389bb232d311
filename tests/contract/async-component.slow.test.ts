import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { componentize } from 'componentize-qjs';
import { afterAll, expect, it } from 'vitest';
import { examinePlugin, type PrepareOptions } from '../../src/host/install/examine-plugin.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuervo-async-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('a component of the defaults of componentize-qjs is refused with the option that makes it run', async () => {
  const witPath = join(folder, 'world.wit');
  writeFileSync(witPath, 'package t:t; world w { export add: func(a: u32, b: u32) -> u32; }');
  const jsSource = 'export function add(a, b) { return a + b; }';
  const judge = async (more: { sync?: boolean }) => {
    const { component } = await componentize({ witPath, jsSource, world: 'w', ...more });
    return await examinePlugin(component, 'add.wasm', {} as PrepareOptions);
  };
  const { reasons } = (await judge({})).judgement;
  expect(reasons).toEqual([
    expect.stringMatching(
      /^it is asynchronous, which this version does not support: .+; build "add" with componentize-qjs --sync$/,
    ),
  ]);
  const { judgement, derived } = await judge({ sync: true });
  expect(judgement.reasons).toEqual([]);
  expect(derived?.tools.map(({ name }) => name)).toEqual(['add']);
});
