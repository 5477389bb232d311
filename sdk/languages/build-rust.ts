import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'smol-toml';
import { BuildError } from '../build/build-error.ts';
import { findZig } from './build-c.ts';
import type { BuildLanguage } from './build-language.ts';
import { readIfPresent } from './read-if-present.ts';
import { type Environment, findProgram, requireProgram, runToolchain } from './run-toolchain.ts';
import { writeWit } from './write-wit.ts';

type Artifact = { reason?: string; filenames?: string[]; executable?: string | null };

/**
 * A crate with a `main.rs` is a program of WASI; a library of the type `cdylib` is a component that
 * exports the world in its `wit` folder.
 */
export const buildRust: BuildLanguage = async (options) => {
  const { folder, env, toml, watch, tell } = options;
  const cargo = requireProgram('cargo', env, 'install Rust from https://rustup.rs');
  const isLibrary = isCdylib(join(folder, 'Cargo.toml'));
  if (isLibrary) writeWit({ ...options, out: join(folder, 'wit') });
  const target = isLibrary ? 'wasm32-unknown-unknown' : 'wasm32-wasip1';
  await addTarget(target, options);
  // Its panics would otherwise name the folder.
  const home = env.CARGO_HOME ?? join(env.HOME ?? '', '.cargo');
  // A later one counts before an earlier one.
  const remap = [
    [folder, '.'],
    [home, 'cargo'],
    [targetFolder(folder, env), './target'],
  ].map(([path, name]) => `--remap-path-prefix=${path}=${name}`);
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
      ...compilerOfC(folder, env),
      RUSTFLAGS: [env.RUSTFLAGS ?? '', ...remap].join(' ').trim(),
    },
    watch,
    tell,
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
  const { env, folder, watch, tell } = options;
  const rustc = findProgram('rustc', env);
  if (rustc === undefined) return;
  const sysroot = (
    await runToolchain([rustc, '--print', 'sysroot'], { folder, env, watch, tell })
  ).trim();
  if (existsSync(join(sysroot, 'lib/rustlib', target, 'lib'))) return;
  throw new BuildError(`Rust has no target ${target}: rustup target add ${target}`);
}

/** Where cargo keeps what it built; an author may share one folder between plugins. */
function targetFolder(folder: string, env: Environment): string {
  return resolve(folder, env.CARGO_TARGET_DIR ?? 'target');
}

/**
 * Crates may hold C, as SQLite does. zig compiles it, where nobody named another compiler; the name
 * that cargo has for the target is not one of zig's.
 */
function compilerOfC(folder: string, env: Environment): Record<string, string> {
  const [cc, ar] = ['CC_wasm32_wasip1', 'AR_wasm32_wasip1'] as const;
  if (env[cc] !== undefined) return {};
  const zig = findZig(env);
  if (zig === undefined) return {};
  // Always at the same place: cargo builds again when the compiler is another one.
  const tools = join(targetFolder(folder, env), 'cuervo-tools');
  mkdirSync(tools, { recursive: true });
  const write = (name: string, script: string): string => {
    const file = join(tools, name);
    if (readIfPresent(file) !== script) writeFileSync(file, script, { mode: 0o755 });
    return file;
  };
  const command = zig.map((word) => `'${word}'`).join(' ');
  const dropTarget =
    'for word; do shift; case $word in --target=*) ;; *) set -- "$@" "$word" ;; esac; done';
  return {
    [cc]: write('cc', `#!/bin/sh\n${dropTarget}\nexec ${command} cc -target wasm32-wasi "$@"\n`),
    [ar]: write('ar', `#!/bin/sh\nexec ${command} ar "$@"\n`),
  };
}
