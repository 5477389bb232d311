import { defineTool, exec, fs, HostError, kv, log, paths, ToolError, v } from '@cuervo/sdk';
import { toldOutputs } from '../host-output.ts';
import { shownOutput } from '../output-tool.ts';
import { findRunner, RunnerError, runnerNames, type TestRun } from './find-runner.ts';
import { missingRunner } from './missing-runner.ts';
import { readResults, type TestFailure } from './read-results.ts';

const maxManifestBytes = 256 * 1024;
/** Test files that are looked at for how they are run. */
const maxLookedAt = 20;
/** Characters of what the runner printed, beside the failures that were read out of it. */
const maxShownLength = 12_000;
/** What a shell says of a program that a signal ended. */
const killedExit = 128;
/** Where a root lies for a program in the sandbox. */
const workInSandbox = '/roots/work/';

export const runTests = defineTool({
  name: 'run-tests',
  description:
    'Runs the tests of the project or of one file or folder, and gives counts and the failing tests with file, line and message. Finds out itself how they are run: test script of package.json, vitest, jest, cargo, go, maven, gradle, pytest, unittest, make. Use it after a change; for other programs use run.',
  effect: 'external',
  input: v.object({
    path: v.optional(
      v.pipe(v.string(), v.description('a test file or folder; default the whole workspace')),
    ),
    filter: v.optional(
      v.pipe(v.string(), v.minLength(1, 'is empty'), v.description('part of the name of tests')),
    ),
    runner: v.optional(
      v.pipe(v.picklist(runnerNames), v.description('when several are there; default the nearest')),
    ),
    dry: v.optional(v.pipe(v.boolean(), v.description('only say which command would be run'))),
  }),
  examples: [{}, { path: 'src/cache.test.ts' }, { filter: 'evicts the oldest' }, { dry: true }],
  run: (input) => {
    const run = chosenRunner(input);
    const command = [run.program, ...run.args].map(shownArgument).join(' ');
    const folder = run.folder === '' ? '.' : run.folder;
    const told = { runner: run.runner, command, folder };
    if (input.dry === true) return { content: told, summary: `would run: ${command}` };
    log.progress(command, 0);
    const { exitCode, signal, stdout, stderr, truncated } = start(run, command);
    const printed =
      stderr === '' ? stdout : `${stdout}${stdout.endsWith('\n') ? '' : '\n'}${stderr}`;
    const { counts, failures } = readResults(run.format, printed);
    const { text, ...kept } = shownOutput(printed, { maxLength: maxShownLength });
    const state = signal === undefined ? `exit code ${exitCode}` : `ended by ${signal}`;
    const missing = exitCode === 0 ? undefined : missingRunner(printed);
    // A run of no test at all shows nothing, whatever its exit code.
    const isEmpty = counts !== undefined && counts.passed + counts.failed + counts.skipped === 0;
    const summary =
      counts === undefined
        ? `${command}: ${missing ?? state}`
        : isEmpty
          ? `${command}: no test ran${missing === undefined ? '' : `; ${missing}`}`
          : `${command}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;
    return {
      content: {
        ...told,
        passed: exitCode === 0 && !isEmpty,
        ...(exitCode === undefined ? { exitCode: killedExit, signal } : { exitCode }),
        ...(counts === undefined ? {} : { counts }),
        failures: failures.map((failure) => placed(failure, run)),
        output: text,
        ...kept,
        ...(truncated ? { cut: toldOutputs(kv) } : {}),
      },
      summary,
    };
  },
});

function chosenRunner(input: {
  path?: string | undefined;
  filter?: string | undefined;
  runner?: TestRun['runner'] | undefined;
}): TestRun {
  const place = paths.host(input.path).replace(/^work:/, '');
  const isFile = place !== '' && fs.stat(`work:${place}`).kind === 'file';
  const { filter, runner } = input;
  // No option, and for jest or cargo a pattern at most.
  if (filter?.startsWith('-')) throw new ToolError('invalid-input', 'filter begins with "-"');
  try {
    return findRunner({ path: place, isFile, filter, runner }, { has, read, find });
  } catch (thrown) {
    if (thrown instanceof RunnerError) throw new ToolError('invalid-input', thrown.message);
    throw thrown;
  }
}

function start(run: TestRun, command: string): exec.Output {
  try {
    return exec.run({ program: run.program, args: run.args, cwd: `work:${run.folder}` });
  } catch (thrown) {
    if (!(thrown instanceof HostError) || thrown.code !== 'not-found') throw thrown;
    throw new ToolError('not-found', `${command}: ${thrown.message}`);
  }
}

function has(path: string): boolean {
  try {
    fs.stat(`work:${path}`);
    return true;
  } catch (thrown) {
    if (thrown instanceof HostError) return false;
    throw thrown;
  }
}

function read(path: string): string | undefined {
  try {
    return fs.readText(`work:${path}`, maxManifestBytes).text;
  } catch (thrown) {
    if (thrown instanceof HostError) return undefined;
    throw thrown;
  }
}

function find(folder: string, globs: readonly string[]): string[] {
  const exclude = ['.venv', 'venv', 'site-packages', 'node_modules'];
  const found = fs.walk(`work:${folder}`, { include: [...globs], exclude, limit: maxLookedAt });
  return found.map(({ path }) => path.replace(/^work:/, ''));
}

/** Its path relative to the workspace, as other tools take it. */
function placed(failure: TestFailure, { folder, format }: TestRun): TestFailure {
  if (failure.path === undefined) return failure;
  const printed = failure.path.replace(/^file:\/\//, '').replace(/^\.\//, '');
  if (printed.startsWith(workInSandbox)) {
    return { ...failure, path: printed.slice(workInSandbox.length) };
  }
  if (printed.startsWith('/')) return failure;
  if (format === 'maven' || format === 'gradle') return inSources(failure, printed, folder);
  const plain = format === 'go' ? withoutModule(printed, folder) : printed;
  return { ...failure, path: folder === '' ? plain : `${folder}/${plain}` };
}

/** Java names a class and its file, and not the folder of sources. */
function inSources(failure: TestFailure, printed: string, folder: string): TestFailure {
  const found = fs.walk(`work:${folder}`, { include: [`**/src/**/${printed}`], limit: 2 });
  const { path: _, line: __, ...unplaced } = failure;
  const path = found[0]?.path.replace(/^work:/, '');
  return found.length === 1 && path !== undefined ? { ...failure, path } : unplaced;
}

/** Go names packages by their module. */
function withoutModule(path: string, folder: string): string {
  const file = read(folder === '' ? 'go.mod' : `${folder}/go.mod`) ?? '';
  const module = /^module\s+(\S+)/m.exec(file)?.[1];
  return module !== undefined && path.startsWith(`${module}/`)
    ? path.slice(module.length + 1)
    : path;
}

function shownArgument(argument: string): string {
  return /^[\w./:=@,+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
