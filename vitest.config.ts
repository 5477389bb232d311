import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = import.meta.dirname;

/** One project per kind of test: they differ in what they start and how long it may take. */
const project = (name: string, include: string[], more: { timeoutMs?: number } = {}) => ({
  extends: true as const,
  test: {
    name,
    include,
    testTimeout: more.timeoutMs ?? 20_000,
    hookTimeout: 120_000,
  },
});

export default defineConfig({
  resolve: {
    alias: {
      '@cuervo/sdk': resolve(root, 'sdk/index.ts'),
      cuervo: resolve(root, 'src/index.ts'),
    },
  },
  test: {
    // Most tests wait for processes: on two cores one worker would wait alone.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    globalSetup: [resolve(root, 'tests/build-first.ts')],
    projects: [
      project('unit', ['{src,sdk,plugins,scheduler}/**/*.test.ts', 'tests/bench/**/*.test.ts']),
      project('contract', ['tests/contract/**/*.test.ts'], { timeoutMs: 60_000 }),
      project('arch', ['tests/arch/**/*.test.ts']),
      project('escape', ['tests/escape/**/*.test.ts'], { timeoutMs: 60_000 }),
      project('chaos', ['tests/chaos/**/*.test.ts'], { timeoutMs: 120_000 }),
      project('e2e', ['tests/e2e/**/*.test.ts'], { timeoutMs: 120_000 }),
    ],
  },
});
