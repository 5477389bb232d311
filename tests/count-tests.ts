import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const root = resolve(import.meta.dirname, '..');
const countsFile = resolve(root, 'node_modules/.cache/cuervo-tests.json');
const everywhere = ['{src,sdk,plugins,scheduler}/**/*.test.ts', 'tests/**/*.test.ts'];

/** path of a test file -> its tests, when it last ran whole */
type Counts = Record<string, number>;

/**
 * Prints how many of all tests a run had. A file's tests are known once it ran, so the sum is
 * kept from run to run and the line says how many files it is of.
 */
export default class CountTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        if (test.diagnostic()?.flaky !== true) continue;
        console.log(`passed at the second try only: ${module.relativeModuleId}: ${test.fullName}`);
      }
    }
    const ran = Object.fromEntries(
      modules.map((module) => [module.relativeModuleId, [...module.children.allTests()].length]),
    );
    const files = globSync(everywhere, { cwd: root });
    const before = readCounts();
    const known: Counts = {};
    for (const file of files) {
      const count = ran[file] ?? before[file];
      if (count !== undefined) known[file] = count;
    }
    mkdirSync(dirname(countsFile), { recursive: true });
    writeFileSync(countsFile, JSON.stringify(known));
    const all = Object.keys(known).length;
    console.log(
      `${sum(ran)} tests in ${modules.length} files ran, of ${sum(known)} tests in ` +
        `${all === files.length ? `all ${all}` : `${all} of ${files.length}`} files`,
    );
    if (modules.length < files.length) console.log('npm run test:nightly runs all of them');
  }
}

function readCounts(): Counts {
  try {
    return JSON.parse(readFileSync(countsFile, 'utf8')) as Counts;
  } catch {
    return {}; // no run before
  }
}

const sum = (counts: Counts): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);
