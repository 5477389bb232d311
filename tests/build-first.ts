import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

/**
 * The tests run the sources as they are, but plugin processes and children are started from
 * their bundles: those are made fresh here, in about a second when nothing changed.
 */
export default function buildFirst(): void {
  const root = resolve(import.meta.dirname, '..');
  execFileSync(process.execPath, [resolve(root, 'src/build/main.ts')], {
    cwd: root,
    stdio: 'inherit',
  });
}
