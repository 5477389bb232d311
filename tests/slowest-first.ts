import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/**
 * Seconds of the files that take longest. A file that begins last keeps one core busy while the
 * others wait, and a fresh clone does not know yet what took long.
 */
export const slowest: Readonly<Record<string, number>> = {
  'tests/e2e/author-whole-way.test.ts': 180,
  'tests/e2e/author-examples.test.ts': 170,
  'tests/e2e/docs.test.ts': 150,
  'src/models/test-model.slow.test.ts': 80,
  'tests/contract/node-wasi.slow.test.ts': 80,
  'tests/e2e/author.test.ts': 80,
  'tests/e2e/git-parity.test.ts': 80,
  'tests/e2e/local-models.test.ts': 80,
  'tests/chaos/kill-changes.test.ts': 70,
  'tests/e2e/models.test.ts': 70,
  'tests/e2e/plugins.test.ts': 70,
  'tests/e2e/plugin-sources.test.ts': 60,
  'tests/e2e/toolchain.test.ts': 60,
  'tests/escape/program-runner.test.ts': 60,
};

/** A worker goes on with files of one of these as long as they follow each other. */
const together: readonly string[] = ['contract', 'unit', 'arch'];

/**
 * Begins with what failed before, then with what takes longest, in whichever project it is: by the
 * run before, else by the table. Files of projects without isolation come last, project by project.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const ranks = new Map(usual.map((spec) => [spec, this.#rank(spec)]));
    return usual.toSorted(
      (one, other) =>
        together.indexOf(one.project.name) - together.indexOf(other.project.name) ||
        (ranks.get(other) ?? 0) - (ranks.get(one) ?? 0),
    );
  }

  #rank(spec: TestSpecification): number {
    const before = this.ctx.cache.getTestSpecificationResult(spec);
    if (before?.failed === true) return Number.MAX_SAFE_INTEGER;
    const path = spec.moduleId.slice(this.ctx.config.root.length + 1);
    return (before?.duration ?? 0) / 1_000 || (slowest[path] ?? 0);
  }
}
