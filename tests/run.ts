import { existsSync } from 'node:fs';
import { parseCLI, startVitest } from 'vitest/node';
import { keepRecord, leaveOutWholeWays, provenRecord, wholeWays } from './proven.ts';

/**
 * `npm test`: the projects that a contributor waits for. A path, a project or a name of tests
 * chooses among all tests instead. With `--rest` it runs all other projects, with `--all` all of
 * them; both leave out what `wholeWays` proved before of the same sources.
 */
const quick = ['unit', 'contract', 'arch', 'smoke'];
const [first = '', ...others] = process.argv.slice(2);
const isWide = first === '--rest' || first === '--all';
const words = isWide ? others : process.argv.slice(2);
const { filter, options } = parseCLI(['vitest', 'run', ...words], { allowUnknownOptions: false });
const isChosen =
  filter.length > 0 || options.project !== undefined || options.testNamePattern !== undefined;
const record = isWide && !isChosen ? provenRecord() : undefined;
const isProven = record !== undefined && existsSync(record);
if (isProven) leaveOutWholeWays();
// Without the names of the other projects, so that a new one cannot be left out.
const project =
  {
    '--all': [],
    '--rest': quick.map((name) => `!${name}`),
  }[first] ?? quick;
const vitest = await startVitest(
  filter,
  {
    ...options,
    run: true,
    ...(isChosen || first === '--all' ? {} : { project }),
  },
  {},
  {},
);
await vitest.close();
if (isProven) {
  console.log(`left out, as they passed here with all that they read as it is now (${record}):`);
  console.log(wholeWays.join('\n'));
  console.log('npm run test:nightly runs them too');
} else if (record !== undefined && wholeWays.every((path) => passed(path))) keepRecord(record);

function passed(path: string): boolean {
  const modules = vitest.state
    .getTestModules()
    .filter(({ moduleId }) => moduleId.endsWith(`/${path}`));
  return modules.length > 0 && modules.every((module) => module.ok());
}
