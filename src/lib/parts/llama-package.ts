import { readFileSync, realpathSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';

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

export type System = { platform: string; arch: string; isMusl: boolean };

/**
 * The folder of the package that runs GGUF models on this system.
 *
 * @throws {KernelError} `unavailable` on a system that there is no build for, and where the package
 *   manager left it out
 */
export function llamaPackage({ platform, arch, isMusl }: System = thisSystem()): string {
  const name = names[`${platform}-${arch}`];
  if (name === undefined || isMusl) {
    const system = `${platform}-${arch}${isMusl ? ' with musl' : ''}`;
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

/** Name and version of that package, which a change of what it makes of a prompt comes with. */
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

function thisSystem(): System {
  const { platform, arch } = process;
  return { platform, arch, isMusl: platform === 'linux' && !hasGlibc() };
}

/** Programs of glibc say its version in Node's report on itself. */
function hasGlibc(): boolean {
  // Node asks the network for names of open connections otherwise.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { header } = report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime !== undefined;
}
