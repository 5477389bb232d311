import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { BuildError } from '../build/build-error.ts';
import type { BuildLanguage } from './build-language.ts';
import { findProgram, requireProgram, runToolchain } from './run-toolchain.ts';
import { writeWit } from './write-wit.ts';

type Artifact = { reason?: string; filenames?: string[]; executable?: string | null };

/**
 * A crate with a `main.rs` is a program of WASI; a library of the type `cdylib` is a component that
 * exports the world in its `wit` folder.
 */
export const buildRust: BuildLanguage = async (options) => {
  const { folder, env, toml, watch } = options;
  const cargo = requireProgram('cargo', env, 'install Rust from https://rustup.rs');
  const isLibrary = isCdylib(join(folder, 'Cargo.toml'));
  if (isLibrary) writeWit({ ...options, out: join(folder, 'wit') });
  const target = isLibrary ? 'wasm32-unknown-unknown' : 'wasm32-wasip1';
  await addTarget(target, options);
  // Where it lies would otherwise stand in its panics.
  const home = env.CARGO_HOME ?? join(env.HOME ?? '', '.cargo');
  const remap = [`--remap-path-prefix=${folder}=.`, `--remap-path-prefix=${home}=cargo`];
  const { flags = [] } = toml.build;
  const lock = existsSync(join(folder, 'Cargo.lock')) ? ['--locked'] : [];
  const args = [
    'build',
    '--release',
    '--target',
    target,
    '--message-format',
    'json-render-diagnostics',
  ];
  const out = await runToolchain([cargo, ...args, ...lock, ...flags], {
    folder,
    env: {
      ...env,
      ...compilerOfC(env),
      RUSTFLAGS: [env.RUSTFLAGS ?? '', ...remap].join(' ').trim(),
    },
    watch,
  });
  const made = out
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Artifact)
    .filter(({ reason }) => reason === 'compiler-artifact')
    .flatMap(({ filenames = [] }) => filenames.filter((name) => name.endsWith('.wasm')));
  const file = made.at(-1);
  if (file === undefined)
    throw new BuildError(
      'cargo made no .wasm: the crate needs a main.rs, or a [lib] with crate-type = ["cdylib"]',
    );
  const bytes = readFileSync(file);
  return isLibrary ? await options.makeComponent(bytes, undefined) : bytes;
};

function isCdylib(file: string): boolean {
  let crate: { lib?: { 'crate-type'?: string[] } };
  try {
    crate = parse(readFileSync(file, 'utf8')) as typeof crate;
  } catch (thrown) {
    const [reason] = String((thrown as Error).message).split('\n');
    throw new BuildError(`${file} is no TOML: ${reason}`, { cause: thrown });
  }
  return crate.lib?.['crate-type']?.includes('cdylib') === true;
}

/** Cargo says that a target is missing only in the middle of its work. */
async function addTarget(target: string, options: Parameters<BuildLanguage>[0]): Promise<void> {
  const { env, folder, watch } = options;
  const rustc = findProgram('rustc', env);
  if (rustc === undefined) return;
  const sysroot = (
    await runToolchain([rustc, '--print', 'sysroot'], { folder, env, watch })
  ).trim();
  if (existsSync(join(sysroot, 'lib/rustlib', target, 'lib'))) return;
  throw new BuildError(`Rust has no target ${target}: rustup target add ${target}`);
}

/** Crates may hold C, as SQLite; zig compiles it, where nobody named another compiler. */
function compilerOfC(env: Record<string, string | undefined>): Record<string, string> {
  const key = 'CC_wasm32_wasip1';
  const zig = findProgram('zig', env);
  return env[key] !== undefined || zig === undefined ? {} : { [key]: `${zig} cc` };
}
