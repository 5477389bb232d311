import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * `npm run size`: installs a fresh clone as a newcomer would, and prints how long that took,
 * how large it got, and what is largest. With `--here` only measures this folder.
 */
const root = resolve(import.meta.dirname, '../..');
const limitMb = 900;

if (process.argv.includes('--here')) report(root, undefined);
else {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-size-'));
  try {
    execFileSync('git', ['clone', '--quiet', root, folder]);
    const startedMs = performance.now();
    execFileSync('npm', ['ci'], { cwd: folder, stdio: 'ignore' });
    report(folder, (performance.now() - startedMs) / 1000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(folder: string, seconds: number | undefined): void {
  const packages = packagesOf(join(folder, 'node_modules'));
  const total = packages.reduce((sum, { megabytes }) => sum + megabytes, 0);
  const took = seconds === undefined ? '' : ` in ${seconds.toFixed(0)} s`;
  console.log(`npm ci: ${total.toFixed(0)} MB${took} (limit ${limitMb} MB)`);
  packages.sort((one, other) => other.megabytes - one.megabytes);
  for (const { name, megabytes } of packages.slice(0, 12)) {
    console.log(`${megabytes.toFixed(0).padStart(6)} MB  ${name}`);
  }
  if (total > limitMb) process.exitCode = 1;
}

function packagesOf(modules: string): { name: string; megabytes: number }[] {
  return readdirSync(modules)
    .flatMap((name) =>
      name.startsWith('@')
        ? readdirSync(join(modules, name)).map((part) => `${name}/${part}`)
        : [name],
    )
    .map((name) => ({ name, megabytes: bytesBelow(join(modules, name)) / 1e6 }));
}

/** Disk blocks, as `du` counts: what a person loses. */
function bytesBelow(path: string): number {
  const found = lstatSync(path);
  const own = found.blocks * 512;
  if (!found.isDirectory()) return found.nlink > 1 ? own / found.nlink : own;
  return readdirSync(path).reduce((sum, name) => sum + bytesBelow(join(path, name)), own);
}
