import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * `npm run size`: packs cuervo, installs the tarball as a newcomer would, and prints how long that
 * took with a warm cache of npm, how large it got, and what is largest.
 */
const root = resolve(import.meta.dirname, '../..');
const limitMib = 320;
const limitSeconds = 60;

const folder = mkdtempSync(join(tmpdir(), 'cuervo-size-'));
try {
  const pack = join(root, 'src/build/package/main.ts');
  const printed = execFileSync(process.execPath, [pack, folder], { encoding: 'utf8' });
  const tarball = printed.split('\n')[0] as string;
  // The first install fills the cache.
  install(tarball, join(folder, 'first'), '--prefer-offline');
  const prefix = join(folder, 'prefix');
  const startedMs = performance.now();
  install(tarball, prefix, '--offline');
  report(prefix, (performance.now() - startedMs) / 1000);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function install(tarball: string, prefix: string, cache: string): void {
  const words = ['install', '--global', '--prefix', prefix, cache, tarball];
  execFileSync('npm', words, { stdio: ['ignore', 'ignore', 'inherit'] });
}

function report(prefix: string, seconds: number): void {
  const total = bytesBelow(prefix) / 2 ** 20;
  const limits = `limits ${limitMib} MiB, ${limitSeconds} s`;
  console.log(`installed: ${total.toFixed(0)} MiB in ${seconds.toFixed(0)} s (${limits})`);
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
    console.log(`${(bytes / 2 ** 20).toFixed(0).padStart(6)} MiB  ${name}`);
  if (total > limitMib || seconds > limitSeconds) process.exitCode = 1;
}

/** Disk blocks, as `du` counts: what a person loses. */
function bytesBelow(path: string): number {
  const found = lstatSync(path);
  const own = found.blocks * 512;
  if (!found.isDirectory()) return found.nlink > 1 ? own / found.nlink : own;
  return readdirSync(path).reduce((sum, name) => sum + bytesBelow(join(path, name)), own);
}
