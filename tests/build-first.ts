import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { preparedVariable } from './support/shared-prepared.ts';

/**
 * The tests run the sources as they are, but plugin processes and children are started from
 * their bundles: those are made fresh here, in about a second when nothing changed. What the tests
 * prepare of plugins is theirs until the run ends, so that it is always of these sources.
 *
 * @returns what removes it
 */
export default function buildFirst(): () => void {
  const root = resolve(import.meta.dirname, '..');
  execFileSync(process.execPath, [resolve(root, 'src/build/main.ts')], {
    cwd: root,
    stdio: 'inherit',
  });
  const prepared = mkdtempSync(join(tmpdir(), 'cuervo-prepared-'));
  process.env[preparedVariable] = prepared;
  return () => rmSync(prepared, { recursive: true, force: true });
}
