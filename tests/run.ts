import { parseCLI, startVitest } from 'vitest/node';

/**
 * `npm test`: the projects that a contributor waits for. A path, a project or a name of tests
 * chooses among all tests instead. With `--rest` it runs all other projects.
 */
const quick = ['unit', 'contract', 'arch', 'smoke'];
const [first, ...others] = process.argv.slice(2);
const isRest = first === '--rest';
const words = isRest ? others : process.argv.slice(2);
const { filter, options } = parseCLI(['vitest', 'run', ...words], { allowUnknownOptions: false });
const isChosen =
  filter.length > 0 || options.project !== undefined || options.testNamePattern !== undefined;
// Without the names of the other projects, so that a new one cannot be left out.
const usual = isRest ? quick.map((name) => `!${name}`) : quick;
const vitest = await startVitest(
  filter,
  { ...options, run: true, ...(isChosen ? {} : { project: usual }) },
  {},
  {},
);
await vitest.close();
