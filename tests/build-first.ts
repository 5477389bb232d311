import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { digestOf, notOfPlugins } from './support/digest-of.ts';
import { preparedVariable } from './support/shared-prepared.ts';

const root = resolve(import.meta.dirname, '..');
const kept = join(root, 'node_modules/.cache/cuervo-prepared');

/** What prepares a plugin, and decides what is kept of one. */
const preparing = ['package-lock.json', 'src/**', 'wit/**'];

/**
 * The tests run the sources as they are, but plugin processes and children are started from
 * their bundles: those are made fresh here, in about a second when nothing changed. What the tests
 * prepare of plugins stays for later runs, as long as what prepares it is the same.
 */
export default function buildFirst(): void {
  execFileSync(process.execPath, [resolve(root, 'src/build/main.ts')], {
    cwd: root,
    stdio: 'inherit',
  });
  const name = digestOf(preparing, { except: [...notOfPlugins, 'src/cli/**'] });
  mkdirSync(join(kept, name), { recursive: true, mode: 0o700 });
  for (const other of readdirSync(kept)) {
    if (other !== name) rmSync(join(kept, other), { recursive: true, force: true });
  }
  process.env[preparedVariable] = join(kept, name);
}
