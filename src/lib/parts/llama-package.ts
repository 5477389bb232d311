import { readFileSync, realpathSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import { type System, thisSystem } from './parts.ts';

/** The builds of llama.cpp for the processor alone, by the system that they are for. */
const names: Readonly<Record<string, string>> = {
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'linux-arm': 'linux-armv7l',
  'linux-arm64': 'linux-arm64',
  'linux-riscv64': 'linux-riscv64',
  'linux-x64': 'linux-x64',
  'win32-arm64': 'win-arm64',
  'win32-x64': 'win-x64',
};

/**
 * The folder of the package that runs GGUF models on this system.
 *
 * @throws {KernelError} `unavailable` on a system that there is no build for, and where the package
 *   manager left it out
 */
export function llamaPackage({ os, cpu, libc }: System = thisSystem()): string {
  const name = names[`${os}-${cpu}`];
  if (name === undefined || libc === 'musl') {
    const system = `${os}-${cpu}${libc === 'musl' ? ' with musl' : ''}`;
    const message = `GGUF models do not run on ${system}: llama.cpp has no build for it`;
    const hint = 'Ask without a model (--model none), or use one of a provider: docs/models.md';
    throw new KernelError('unavailable', message, { hint });
  }
  const file = manifestOf(`@node-llama-cpp/${name}`);
  if (file !== undefined) return dirname(realpathSync(file));
  throw new KernelError('unavailable', `the package @node-llama-cpp/${name} is not installed`, {
    hint: 'Install cuervo again with optional packages (npm: --include=optional).',
  });
}

/** Name and version of that package: another one may read a prompt differently. */
export function llamaEngine(folder: string = llamaPackage()): string {
  const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
  const { name, version } = JSON.parse(manifest) as { name: string; version: string };
  return `${name}@${version}`;
}

function manifestOf(name: string): string | undefined {
  try {
    return findPackageJSON(name, import.meta.url);
  } catch {
    // Node throws when there is none.
    return undefined;
  }
}
