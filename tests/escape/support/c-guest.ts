import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Need } from './escape-case.ts';
import { cacheFolder, guestsFolder } from './paths.ts';

/** Compilers that make WASI modules, in the order they are tried. */
const compilers: readonly (readonly string[])[] = [
  ['clang', '--target=wasm32-wasi'],
  ['zig', 'cc', '-target', 'wasm32-wasi'],
  ['python3', '-m', 'ziglang', 'cc', '-target', 'wasm32-wasi'],
];
const flags = ['-Os', '-s', '-Wall', '-Werror'];

let isCompilerThere: boolean | undefined;

/** A C compiler with a library for WASI; it compiles a program once to know. */
export const cCompiler = {
  file: 'a C compiler for WASI',
  isThere: () => {
    isCompilerThere ??= compileAny('wasi-program') !== undefined;
    return isCompilerThere;
  },
  install: 'pip install ziglang',
} satisfies Need;

/**
 * `guests/NAME/main.c` as a module for WASI preview 1, kept under the digest of its source.
 *
 * @throws when no compiler for WASI is there; ask `cCompiler.isThere()` before
 */
export function buildCGuest(name: string): string {
  const file = compileAny(name);
  if (file === undefined) throw new Error(`${cCompiler.file} is missing: ${cCompiler.install}`);
  return file;
}

function compileAny(name: string): string | undefined {
  const source = join(guestsFolder, name, 'main.c');
  const digest = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 24);
  // The name of the file becomes the name of the plugin.
  const folder = join(cacheFolder, `c-${digest}`);
  const file = join(folder, `${name}.wasm`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const partial = `${file}.${process.pid}`;
  for (const [program = '', ...args] of compilers) {
    const ran = spawnSync(program, [...args, ...flags, '-o', partial, source], {
      encoding: 'utf8',
    });
    if (ran.status !== 0) continue;
    renameSync(partial, file);
    return file;
  }
  return undefined;
}
