import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPluginStore } from './plugin-store.ts';

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
