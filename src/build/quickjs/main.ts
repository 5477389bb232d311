import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  listBytes,
  readSections,
  sectionBytes,
  WasmReader,
} from '../../../sdk/build/wasm-bytes.ts';

/** Builds the engine of plugins from this folder; the README beside it names the tools. */
const tools = resolve(process.argv[2] ?? '');
const here = import.meta.dirname;
const target = resolve(here, '../../../sdk/engine/quickjs.wasm');
const rust = '1.95.0';
/** Cargo and Rust find themselves by it. */
const { env: environment } = process;
const scratch = mkdtempSync(join(tmpdir(), 'cuervo-quickjs-'));

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  const { status, stdout, error } = spawnSync(command, args, {
    cwd: here,
    env: { ...environment, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} failed`, { cause: error });
  return stdout.trim();
}

function script(path: string, lines: readonly string[]): string {
  writeFileSync(path, ['#!/bin/bash', ...lines, ''].join('\n'));
  chmodSync(path, 0o755);
  return path;
}

/** Drops flags that only another C compiler takes. */
const withoutTarget =
  'args=(); for a in "$@"; do case "$a" in --target=*|-target|wasm32-wasip*|--sysroot=*) ;; *) args+=("$a");; esac; done';
/** The linker is called by its kind. */
const withoutFlavor =
  'args=(); skip=; for a in "$@"; do if [ -n "$skip" ]; then skip=; continue; fi; case "$a" in -flavor) skip=1;; *) args+=("$a");; esac; done';
/**
 * QuickJS-ng 0.16 refuses hyphens and doubled punctuation anywhere in an expression with the flag
 * `v`; the language refuses them in classes only. The compiled expression is a copy.
 */
const mendRegexp = [
  'for a in "$@"; do case "$a" in */libregexp.c)',
  String.raw`sed -i 's/if (s->unicode_sets\( && p.*\|\)) {$/if (s->unicode_sets \&\& inclass\1) {/' "$a"`,
  '[ "$(grep -c "unicode_sets && inclass" "$a")" = 2 ] || exit 1;;',
  'esac; done',
].join('\n');

const zig = join(tools, 'ziglang/zig');
const sysroot = join(scratch, 'share/wasi-sysroot/include');
mkdirSync(join(scratch, 'bin'), { recursive: true });
for (const headers of ['generic-musl', 'wasm-wasi-musl']) {
  cpSync(join(tools, 'ziglang/lib/libc/include', headers), sysroot, { recursive: true });
}
const lld = join(
  run('rustc', [`+${rust}`, '--print', 'sysroot']),
  'lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld',
);
const linker = script(join(scratch, 'ld'), [
  withoutFlavor,
  `exec ${lld} -flavor wasm "\${args[@]}"`,
]);
const compiler = script(join(scratch, 'bin/clang'), [
  withoutTarget,
  mendRegexp,
  `exec ${zig} cc -target wasm32-wasi "\${args[@]}"`,
]);
const archiver = script(join(scratch, 'bin/ar'), [`exec ${zig} ar "$@"`]);

const clock = '-Dgettimeofday=cuervo_gettimeofday -Dclock_gettime=cuervo_clock_gettime';
run('cargo', [`+${rust}`, 'build', '--release', '--locked', '--target', 'wasm32-wasip2'], {
  CARGO_TARGET_DIR: join(scratch, 'target'),
  WASI_SDK: scratch,
  LIBCLANG_PATH: join(tools, 'clang/native'),
  CC_wasm32_wasip2: compiler,
  AR_wasm32_wasip2: archiver,
  CFLAGS_wasm32_wasip2: `-fPIC -O3 ${clock}`,
  CARGO_TARGET_WASM32_WASIP2_LINKER: linker,
  CARGO_TARGET_WASM32_WASIP2_RUSTFLAGS: [
    ...['-Clink-arg=-shared', '-Clink-arg=--no-entry', '-Clink-arg=--allow-undefined'],
    ...['-Clto=fat', '-Copt-level=3', '-Clinker-flavor=wasm-ld'],
    ...[`--remap-path-prefix=${homedir()}=/build`, `--remap-path-prefix=${here}=/build`],
  ].join(' '),
});
const linked = join(scratch, 'linked.wasm');
const built = join(scratch, 'target/wasm32-wasip2/release/componentize_qjs_runtime.wasm');
writeFileSync(linked, keepExports(readFileSync(built)));
const features = ['bulk-memory', 'bulk-memory-opt', 'call-indirect-overlong', 'sign-ext'];
run(process.execPath, [
  join(tools, 'node_modules/binaryen/bin/wasm-opt'),
  '-O3',
  ...[...features, 'mutable-globals', 'nontrapping-float-to-int', 'multivalue'].map(
    (feature) => `--enable-${feature}`,
  ),
  ...['--strip-debug', '--strip-producers', linked, '-o', target],
]);
const digest = createHash('sha256').update(readFileSync(target)).digest('hex');
writeFileSync(`${target}.sha256`, `${digest}  quickjs.wasm\n`);
rmSync(scratch, { recursive: true, force: true });
console.log(digest);

const exportSection = 7;

/** Exports that the linker of components looks for. */
const wanted = /^(?:wit_dylib_|cabi_|__wasm_|init$)/;

/** A shared module without unused exports, so that an optimizer removes the code behind them. */
export function keepExports(module: Uint8Array<ArrayBuffer>): Uint8Array {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(module));
  // Another module may replace something that a shared module both exports and imports.
  const again = new Set(
    imports
      .filter(({ module: from }) => from === 'env' || from.startsWith('GOT.'))
      .map(({ name }) => name),
  );
  const sections = readSections(module).map(({ id, content }) => {
    if (id !== exportSection) return sectionBytes(id, content);
    const reader = new WasmReader(content);
    const kept = reader.list(() => {
      const start = reader.at;
      const name = reader.name();
      reader.u8();
      reader.u32();
      return wanted.test(name) || again.has(name) ? [content.subarray(start, reader.at)] : [];
    });
    return sectionBytes(id, listBytes(kept.flat()));
  });
  return Buffer.concat([module.subarray(0, 8), ...sections]);
}
