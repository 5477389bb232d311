import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { installPlugin } from '../../src/host/install/install-plugin.ts';
import { openPluginStore, type PluginStore } from '../../src/host/install/plugin-store.ts';
import { defaultLimits } from '../../src/host/limits.ts';
import { createProcessSandbox } from '../../src/host/tier/process-sandbox.ts';
import { callTool, openHost } from '../bench/bench-host.ts';

const dist = resolve(import.meta.dirname, '../../dist');
const folder = mkdtempSync(join(tmpdir(), 'cuervo-plain-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const builtins = openPluginStore(join(dist, 'builtin'));

async function install(
  name: string,
  plain: boolean,
): Promise<{ store: PluginStore; glue: string }> {
  const built = builtins.list().find((record) => record.name === name);
  if (built === undefined) throw new Error(`no built-in plugin "${name}"`);
  const store = openPluginStore(join(folder, `${name}-${plain}`));
  const binary = builtins.component(built);
  if (binary === undefined) throw new Error(`the binary of "${name}" is gone`);
  await installPlugin(binary, 'test', store, {
    bundles: {
      process: join(dist, 'process.cjs'),
      transpile: join(dist, 'transpile.js'),
      wrap: join(dist, 'wrap.js'),
    },
    limits: defaultLimits,
    sandbox: createProcessSandbox('auto'),
    signal: new AbortController().signal,
    nowMs: 0,
    plain,
  });
  const [record] = store.list();
  if (record === undefined) throw new Error('nothing was installed');
  const glue = readFileSync(join(store.folderOf(record), 'component.js'), 'utf8');
  return { store, glue };
}

describe('a plugin without the shortcuts of src/host/shortcuts', () => {
  it('has the glue of the transpiler, and gives the same answers and errors', async () => {
    const line = 'ls -la | grep "ä😀" && echo done';
    const answers: string[] = [];
    for (const plain of [false, true]) {
      const { store, glue } = await install('shell', plain);
      expect(glue.includes('createNewCurrentTask')).toBe(plain);
      expect(glue.includes('callBytes')).toBe(!plain);
      await using host = openHost(store);
      answers.push(await callTool(host, 'shell.parse', { command: line }));
      answers.push(await callTool(host, 'shell.parse', { command: line, more: 1 }).catch(String));
    }
    const [one, wrong, other, otherWrong] = answers;
    expect(JSON.parse(`${one}`)).toHaveProperty('pipelines');
    expect(other).toBe(one);
    expect(wrong).toContain('more');
    expect(otherWrong).toBe(wrong);
  });
});
