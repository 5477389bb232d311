import { homedir } from 'node:os';
import { join } from 'node:path';

const names = [
  'HOME',
  'PYTHON',
  'COMPONENTIZE_PY',
  'CARGO_HOME',
  'RUSTUP_HOME',
  'GOPATH',
  'GOMODCACHE',
];

const caches = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');

/**
 * What toolchains look at; the command line of a test is handed nothing else. What they compiled of
 * their own libraries is shared, also by tests with an `XDG_CACHE_HOME` of their own.
 */
export const toolchainEnv: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    names
      .map((name) => [name, process.env[name]])
      .filter((pair): pair is [string, string] => pair[1] !== undefined),
  ),
  GOCACHE: process.env.GOCACHE ?? join(caches, 'go-build'),
  CARGO_TARGET_DIR: process.env.CARGO_TARGET_DIR ?? join(caches, 'cuervo-tests/cargo'),
  ZIG_GLOBAL_CACHE_DIR: process.env.ZIG_GLOBAL_CACHE_DIR ?? join(caches, 'zig'),
};
