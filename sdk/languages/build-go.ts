import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildLanguage } from './build-language.ts';
import { requireProgram, runToolchain } from './run-toolchain.ts';

/** A program of WASI preview 1, the same bytes from any folder. */
export const buildGo: BuildLanguage = async (options) => {
  const { folder, env, toml, scratch, watch, tell } = options;
  const go = requireProgram('go', env, 'install Go 1.21 or later from https://go.dev/dl');
  const made = join(scratch, 'plugin.wasm');
  const { flags = [] } = toml.build;
  const same = ['-trimpath', '-buildvcs=false', '-ldflags=-s -w -buildid='];
  await runToolchain([go, 'build', ...same, ...flags, '-o', made, '.'], {
    folder,
    env: { ...env, GOOS: 'wasip1', GOARCH: 'wasm', CGO_ENABLED: '0' },
    watch,
    tell,
  });
  return readFileSync(made);
};
