// The sources below a folder that have no test beside them:
// cuervo script examples/scripts/untested.js src/policy
const [sources, tests] = tools.all(
  ['*.ts', '*.test.ts'].map((pattern) => ({
    tool: 'search.files',
    input: { pattern, path: input, limit: 10000 },
  })),
);
const tested = new Set(tests.paths.flatMap((path) => [path, path.replace(/\.test\.ts$/, '.ts')]));
return sources.paths.filter((path) => !tested.has(path));
