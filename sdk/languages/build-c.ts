import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BuildError } from '../build/build-error.ts';
import type { BuildLanguage } from './build-language.ts';
import { cSources } from './language.ts';
import { readIfPresent } from './read-if-present.ts';
import { type Environment, findProgram, runToolchain } from './run-toolchain.ts';
import { writeWit } from './write-wit.ts';

/**
 * A program of WASI preview 1. One that includes `plugin.h` is a component: `wit-bindgen c` makes
 * that of the plugin's own world, in the folder `gen`.
 */
export const buildC: BuildLanguage = async (options) => {
  const { folder, env, toml, scratch, watch, tell } = options;
  if (includesContracts(folder)) await makeBindings(options);
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

function includesContracts(folder: string): boolean {
  return cSources(folder)
    .filter((path) => !path.startsWith('gen'))
    .some((path) => /^#include\s+"plugin\.h"/m.test(readFileSync(join(folder, path), 'utf8')));
}

/**
 * Makes the bindings. Without `wit-bindgen`, earlier bindings are enough if they have the same
 * wants.
 */
async function makeBindings(options: Parameters<BuildLanguage>[0]): Promise<void> {
  const { folder, env, watch, tell, toml } = options;
  writeWit({ ...options, out: join(folder, 'wit') });
  const bindgen = findProgram('wit-bindgen', env);
  if (bindgen !== undefined) {
    const command = [bindgen, 'c', 'wit', '--world', 'plugin', '--out-dir', 'gen'];
    await runToolchain(command, { folder, env, watch, tell });
    return;
  }
  const install = 'install wit-bindgen: cargo install wit-bindgen-cli';
  const header = readIfPresent(join(folder, 'gen/plugin.h'));
  if (header === undefined) throw new BuildError(`there is no gen/plugin.h: ${install}`);
  const known = [...header.matchAll(/^\/\/ Imported Functions from `cuervo:host\/([a-z-]+)@/gm)];
  const names = new Set(known.map(([, name]) => name));
  const wanted = new Set(toml.manifest.wants.map(({ capability }) => capability));
  const [other] = names.symmetricDifference(wanted);
  if (other === undefined) return;
  const where = wanted.has(other as never) ? 'plugin.toml wants' : 'gen/plugin.h has';
  throw new BuildError(`${where} ${other} alone, and gen has to be made again: ${install}`);
}

/** zig has the headers and libraries of WASI with it; a WASI SDK has them too. */
export function findCompiler(env: Environment): string[] {
  if (env.WASI_SDK_PATH !== undefined) {
    return [join(env.WASI_SDK_PATH, 'bin/clang'), '--target=wasm32-wasip1'];
  }
  const zig = findZig(env);
  if (zig !== undefined) return [...zig, 'cc', '-target', 'wasm32-wasi'];
  throw new BuildError(
    'there is no C compiler for WASI: pipx install ziglang, or pip install ziglang (or put zig on the path, or name a WASI SDK in WASI_SDK_PATH)',
  );
}

/** The program, that of pipx, or the package of Python that holds it. */
export function findZig(env: Environment): string[] | undefined {
  const zig = findProgram('zig', env) ?? findProgram('python-zig', env);
  if (zig !== undefined) return [zig];
  const python = findProgram(env.PYTHON ?? 'python3', env);
  if (python === undefined) return undefined;
  const asked = spawnSync(python, ['-m', 'ziglang', 'version'], { env, stdio: 'ignore' });
  return asked.status === 0 ? [python, '-m', 'ziglang'] : undefined;
}
