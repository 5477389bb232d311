import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { leftOut } from './tests/proven.ts';
import { SlowestFirst } from './tests/slowest-first.ts';
import { runsVariable } from './tests/support/runs.ts';

const root = import.meta.dirname;
const beside = '{src,sdk,plugins,scheduler}/**';

/**
 * One project per kind of test: they differ in what they start.
 */
const project = (
  name: string,
  include: string[],
  more: {
    /** its files share processes, and so what they load; each leaves what it changes as it was */
    isShared?: boolean;
    exclude?: string[];
    globalSetup?: string[];
    env?: Record<string, string>;
  } = {},
) => ({
  extends: true as const,
  test: {
    name,
    include,
    exclude: ['**/node_modules/**', ...leftOut(), ...(more.exclude ?? [])],
    env: more.env ?? {},
    globalSetup: more.globalSetup ?? [],
    isolate: more.isShared !== true,
    // A machine with ten times as much to do as it can takes ten times as long.
    testTimeout: 120_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 10_000 } },
  },
});

/** Properties over many values, growth of CPU time, and what builds or waits for seconds. */
const slow = ['**/*.slow.test.ts'];

/** Files with properties that are tried less often in their own project than in `slow`. */
const random = globSync([`${beside}/*.test.ts`, 'tests/contract/**/*.test.ts'], {
  cwd: root,
}).filter((path) => /\/runs\.ts'/.test(readFileSync(resolve(root, path), 'utf8')));

export default defineConfig({
  resolve: {
    alias: {
      '@cuervo/sdk/testing': resolve(root, 'sdk/testing/index.ts'),
      '@cuervo/sdk': resolve(root, 'sdk/index.ts'),
      cuervo: resolve(root, 'src/index.ts'),
    },
  },
  test: {
    // Most tests wait for processes now and then: more workers than cores keep two cores busy.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: SlowestFirst },
    globalSetup: [resolve(root, 'tests/build-first.ts')],
    reporters: ['default', resolve(root, 'tests/count-tests.ts')],
    projects: [
      project('unit', [`${beside}/*.test.ts`, 'tests/bench/**/*.test.ts'], {
        exclude: slow,
        isShared: true,
      }),
      project('contract', ['tests/contract/**/*.test.ts'], { exclude: slow, isShared: true }),
      project('arch', ['tests/arch/**/*.test.ts'], { isShared: true }),
      project('smoke', ['tests/smoke/**/*.test.ts']),
      project('slow', [`${beside}/*.slow.test.ts`, 'tests/contract/**/*.slow.test.ts', ...random], {
        env: { [runsVariable]: 'whole' },
      }),
      project('escape', ['tests/escape/**/*.test.ts']),
      project('chaos', ['tests/chaos/**/*.test.ts']),
      project('install', ['tests/install/**/*.test.ts'], {
        globalSetup: [resolve(root, 'tests/install/pack-first.ts')],
      }),
      project('fleet', ['tests/fleet/**/*.test.ts']),
      project('e2e', ['tests/e2e/**/*.test.ts']),
    ],
  },
});
