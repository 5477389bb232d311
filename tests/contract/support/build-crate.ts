import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../../sdk/languages/run-toolchain.ts';
import { toolchainEnv } from '../../support/toolchain-env.ts';

const target = 'wasm32-wasip2';

/** Whether Rust and its library for WASI are here; tests are skipped by name without. */
export const hasRust = once(
  () =>
    findProgram('cargo', process.env) !== undefined &&
    spawnSync('rustup', ['target', 'list', '--installed']).stdout?.includes(target) === true,
);

function once(ask: () => boolean): () => boolean {
  let known: boolean | undefined;
  return () => (known ??= ask());
}

/**
 * The component of a crate in this folder.
 *
 * @param example of the crate, which is a library then
 */
export function buildCrate(name: string, example?: string): Buffer {
  const cwd = join(import.meta.dirname, name);
  const env = { ...process.env, ...toolchainEnv };
  const one = example === undefined ? [] : ['--example', example];
  const args = ['build', '--quiet', '--release', '--locked', '--target', target, ...one];
  const built = spawnSync('cargo', args, { cwd, env, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stderr);
  const folder = join(env.CARGO_TARGET_DIR ?? '', target, 'release');
  const file = `${(example ?? name).replaceAll('-', '_')}.wasm`;
  return readFileSync(join(folder, example === undefined ? '' : 'examples', file));
}
