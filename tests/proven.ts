import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { digestOf, notOfPlugins } from './support/digest-of.ts';

/**
 * Tests that build with the toolchains of five languages and publish to real registries. They
 * prove what authors get, and run again when something that they read is another than when they
 * last passed on this machine. A machine without such a record runs them, as a clean clone on a
 * new one does, and `npm run test:nightly` always.
 */
export const wholeWays: readonly string[] = [
  'sdk/build/build-plugin.slow.test.ts',
  'tests/contract/act-tools.slow.test.ts',
  'tests/contract/async-component.slow.test.ts',
  'tests/contract/link-check.slow.test.ts',
  'tests/contract/node-wasi.slow.test.ts',
  'tests/contract/wasi-three-c.slow.test.ts',
  'tests/contract/wasi-three.slow.test.ts',
  'tests/contract/wit-names.slow.test.ts',
  'tests/contract/wit-types.slow.test.ts',
  'tests/e2e/author-examples.test.ts',
  'tests/e2e/author-whole-way.test.ts',
  'tests/e2e/author.test.ts',
  'tests/e2e/publish-workflow.test.ts',
];

/** Set where a run leaves them out. */
const provenVariable = 'CUERVO_TEST_PROVEN';

export function leaveOutWholeWays(): void {
  process.env[provenVariable] = 'yes';
}

/** @returns paths that no project includes now */
export const leftOut = (): readonly string[] =>
  process.env[provenVariable] === 'yes' ? wholeWays : [];

/** What builds, checks, packs, publishes, installs and calls a plugin, and what these tests read. */
const reads: readonly string[] = [
  ...wholeWays,
  'docs/languages.md',
  'examples/**',
  'package-lock.json',
  'plugins/**',
  'sdk/**',
  'src/**',
  'tests/contract/support/**',
  'tests/polyglot/**',
  'tests/support/**',
  'wit/**',
];

/** Each says its version with one of these words; one that is missing skips its tests by name. */
const toolchains: readonly (readonly string[])[] = [
  ['act', '--version'],
  ['cargo', '--version'],
  ['componentize-py', '--version'],
  ['docker-registry', '--version'],
  ['go', 'version'],
  ['python3', '-m', 'ziglang', 'version'],
];

const recordFolder = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'cuervo-tests/proven',
);

/** @returns the file that is there once these tests passed with all that they read as it is now */
export function provenRecord(): string {
  const versions = toolchains.map(([program = '', ...words]) => {
    const { status, stdout } = spawnSync(program, words, { encoding: 'utf8' });
    return status === 0 ? stdout : 'missing';
  });
  const tools = process.env.CUERVO_TEST_TOOLS ?? '';
  const registry = existsSync(join(tools, 'node_modules/verdaccio'));
  return join(
    recordFolder,
    digestOf(reads, { except: notOfPlugins, more: [...versions, registry].join('\n') }),
  );
}

export function keepRecord(file: string): void {
  mkdirSync(recordFolder, { recursive: true });
  writeFileSync(file, `${new Date().toISOString()}\n`);
}
