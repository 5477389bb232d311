import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BuildError } from '../build/build-error.ts';
import type { BuildLanguage } from './build-language.ts';
import { cSources } from './language.ts';
import { type Environment, findProgram, runToolchain } from './run-toolchain.ts';

/**
 * A program of WASI preview 1. With what `wit-bindgen c` made in the folder, in its `gen` or its
 * `src`, it is a component that exports the world that was given to it.
 */
export const buildC: BuildLanguage = async (options) => {
  const { folder, env, toml, scratch, watch, tell } = options;
  const sources = cSources(folder);
  if (sources.length === 0) throw new BuildError(`there is no .c in ${folder} or its src`);
  const types = cSources(folder, '_component_type.o');
  const made = join(scratch, 'plugin.wasm');
  const { flags = [] } = toml.build;
  const model = types.length === 0 ? [] : ['-mexec-model=reactor'];
  const same = [`-ffile-prefix-map=${folder}=.`];
  await runToolchain(
    [
      ...findCompiler(env),
      '-Os',
      '-s',
      ...model,
      ...same,
      '-I.',
      '-Igen',
      '-Isrc',
      ...flags,
      '-o',
      made,
      ...sources,
      ...types,
    ],
    { folder, env, watch, tell },
  );
  const bytes = readFileSync(made);
  return types.length === 0 ? bytes : await options.makeComponent(bytes, 'reactor');
};

/** zig has the headers and libraries of WASI with it; a WASI SDK has them too. */
export function findCompiler(env: Environment): string[] {
  if (env.WASI_SDK_PATH !== undefined) {
    return [join(env.WASI_SDK_PATH, 'bin/clang'), '--target=wasm32-wasip1'];
  }
  const zig = findZig(env);
  if (zig !== undefined) return [...zig, 'cc', '-target', 'wasm32-wasi'];
  throw new BuildError(
    'there is no C compiler for WASI: pip install ziglang (or put zig on the path, or name a WASI SDK in WASI_SDK_PATH)',
  );
}

/** The program, or the package of Python that holds it. */
export function findZig(env: Environment): string[] | undefined {
  const zig = findProgram('zig', env);
  if (zig !== undefined) return [zig];
  const python = findProgram(env.PYTHON ?? 'python3', env);
  if (python === undefined) return undefined;
  const asked = spawnSync(python, ['-m', 'ziglang', 'version'], { env, stdio: 'ignore' });
  return asked.status === 0 ? [python, '-m', 'ziglang'] : undefined;
}
