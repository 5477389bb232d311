import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type System, systemText } from '../lib/parts/parts.ts';
import { npmFlags, supportedSystems } from './package/published-manifest.ts';
import { bytesBelow } from './part-lock.ts';

/**
 * `npm run size`: packs cuervo, installs the tarball as a newcomer would, and prints how long that
 * took with a warm cache of npm, how large it got, and what is largest. `--systems` installs it as
 * each system would instead, reads the manifest of every native package there, and prints what is
 * missing.
 */
const root = resolve(import.meta.dirname, '../..');
const limitMib = 300;
const limitSeconds = 60;
/** Beside the supported ones, so that what they lack is known. */
const otherSystems: readonly System[] = [
  { os: 'linux', cpu: 'x64', libc: 'musl' },
  { os: 'darwin', cpu: 'x64' },
  { os: 'win32', cpu: 'arm64' },
];
const natives = {
  '@lancedb': 'memory tables',
  '@node-llama-cpp': 'GGUF models',
  '@napi-rs': 'keychain',
};

const folder = mkdtempSync(join(tmpdir(), 'cuervo-size-'));
try {
  const pack = join(root, 'src/build/package/main.ts');
  const printed = execFileSync(process.execPath, [pack, folder], { encoding: 'utf8' });
  const tarball = printed.split('\n')[0] as string;
  console.log(`tarball: ${mib(statSync(tarball).size)}`);
  if (process.argv.includes('--systems')) reportSystems(tarball);
  else {
    // The first install fills the cache.
    install(tarball, join(folder, 'first'), ['--prefer-offline']);
    const prefix = join(folder, 'prefix');
    const startedMs = performance.now();
    install(tarball, prefix, ['--offline']);
    report(prefix, (performance.now() - startedMs) / 1000);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function install(tarball: string, prefix: string, flags: readonly string[]): void {
  const words = ['install', '--global', '--prefix', prefix, ...flags, tarball];
  execFileSync('npm', words, { stdio: ['ignore', 'ignore', 'inherit'] });
}

function reportSystems(tarball: string): void {
  for (const system of [...supportedSystems, ...otherSystems]) {
    const prefix = join(folder, systemText(system).replaceAll(' ', '-'));
    install(tarball, prefix, ['--prefer-offline', ...npmFlags(system)]);
    const cuervo = join(prefix, 'lib/node_modules/cuervo');
    const missing = Object.entries(natives)
      .filter(([scope]) => !hasNative(join(cuervo, 'node_modules', scope), system))
      .map(([, what]) => what);
    const { os, cpu, libc } = system;
    const prebuild = `${os}${libc === 'musl' ? 'musl' : ''}-${cpu}.node`;
    if (!readdirSync(join(cuervo, 'dist/vendor/sqlite/prebuilds')).includes(prebuild))
      missing.push('SQLite');
    const lacks = missing.length === 0 ? 'nothing is missing' : `missing: ${missing.join(', ')}`;
    console.log(`${mib(bytesBelow(prefix)).padStart(8)}  ${systemText(system)}: ${lacks}`);
    if (missing.length > 0 && supportedSystems.includes(system)) process.exitCode = 1;
    rmSync(prefix, { recursive: true });
  }
}

/** Whether a package of that scope says that it is for the system, and has the code that it names. */
function hasNative(scope: string, { os, cpu, libc }: System): boolean {
  const packages = existsSync(scope) ? readdirSync(scope) : [];
  return packages.some((name) => {
    const manifest = JSON.parse(readFileSync(join(scope, name, 'package.json'), 'utf8')) as {
      os?: string[];
      cpu?: string[];
      libc?: string[];
    };
    const fits =
      manifest.os?.includes(os) === true &&
      manifest.cpu?.includes(cpu) === true &&
      (libc === undefined || manifest.libc?.includes(libc) !== false);
    const files = readdirSync(join(scope, name), { recursive: true }) as string[];
    return fits && files.some((file) => file.endsWith('.node'));
  });
}

function report(prefix: string, seconds: number): void {
  const total = bytesBelow(prefix);
  const limits = `limits ${limitMib} MiB, ${limitSeconds} s`;
  console.log(`installed: ${mib(total)} in ${seconds.toFixed(0)} s (${limits})`);
  const cuervo = join(prefix, 'lib/node_modules/cuervo');
  const modules = join(cuervo, 'node_modules');
  const parts = [
    ...readdirSync(modules)
      .filter((scope) => scope.startsWith('@'))
      .flatMap((scope) => readdirSync(join(modules, scope)).map((name) => `${scope}/${name}`))
      .map((name) => ({ name, bytes: bytesBelow(join(modules, name)) })),
    ...readdirSync(join(cuervo, 'dist')).map((name) => ({
      name: `dist/${name}`,
      bytes: bytesBelow(join(cuervo, 'dist', name)),
    })),
  ];
  parts.sort((one, other) => other.bytes - one.bytes);
  for (const { name, bytes } of parts.slice(0, 12))
    console.log(`${mib(bytes).padStart(10)}  ${name}`);
  if (total > limitMib * 2 ** 20 || seconds > limitSeconds) process.exitCode = 1;
}

function mib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`;
}
