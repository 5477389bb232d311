import { execFile } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect } from 'vitest';
import { openMessage } from '../../src/host/install/prepare-plugin.ts';
import { defaultLimits } from '../../src/host/limits.ts';
import { PluginProcess } from '../../src/host/run/plugin-process.ts';
import { defaultExecLimits } from '../../src/programs/exec/launch-scripts.ts';
import { runLaunch } from '../../src/programs/exec/run-launch.ts';
import {
  createProcessSandbox,
  type ProcessSandbox,
  type SandboxChoice,
} from '../../src/sandbox/process-sandbox.ts';
import { escapeCase } from './support/escape-case.ts';
import { bundlesFolder } from './support/paths.ts';
import { usePlace } from './support/place.ts';

const bundle = join(bundlesFolder, 'native.mjs');

/** Behind all that Node, or a test, has open itself. */
const leaked = 300;

/** A folder stays open in this process as a careless parent leaves it: for every child. */
const place = usePlace({
  fill: (made) => {
    const { dlopen } = process.getBuiltinModule('node:ffi');
    const { functions } = dlopen(null, {
      dup2: { arguments: ['int32', 'int32'], return: 'int32' },
    });
    const folder = openSync(made.outside, 'r');
    expect(functions.dup2(folder, leaked)).toBe(leaked);
    closeSync(folder);
  },
});
afterAll(() => closeSync(leaked));

/** What is inherited shows where no permission model stands before it. */
function withoutPermissions(choice: SandboxChoice): ProcessSandbox {
  const sandbox = createProcessSandbox(choice);
  const isPermission = (arg: string) => arg === '--permission' || arg.startsWith('--allow-');
  return {
    ...sandbox,
    launch: (wanted) => {
      const launch = sandbox.launch(wanted);
      return { ...launch, args: launch.args.filter((arg) => !isPermission(arg)) };
    },
  };
}

const reader = ['/bin/cat', `/proc/self/fd/${leaked}/secret.txt`] as const;

const inputs = () => ({
  work: place.work,
  outside: place.outside,
  home: place.home,
  up: '',
  port: process.pid,
  pid: process.pid,
  leaked,
});

async function probe(choice: SandboxChoice): Promise<Record<string, string>> {
  await using child = new PluginProcess({
    bundle,
    roots: { work: place.work },
    withheld: {},
    sandbox: withoutPermissions(choice),
    startTimeoutMs: 10_000,
  });
  const open = { ...openMessage({ pages: {}, files: {} }, defaultLimits), protectedPaths: {} };
  child.load({ open, files: () => [] });
  const answer = await child.call(
    { tool: 'go', input: JSON.stringify(inputs()), effect: 'pure', denied: {} },
    { signal: AbortSignal.timeout(20_000) },
  );
  if (answer.outcome !== 'ok') throw new Error(JSON.stringify(answer));
  return JSON.parse(answer.content) as Record<string, string>;
}

const expectCovered = async (choice: SandboxChoice): Promise<void> => {
  const { readInside, readLeaked } = await probe(choice);
  expect({ readInside, readLeaked }).toEqual({
    readInside: `ok ${place.inside}`,
    readLeaked: 'failed',
  });
};

escapeCase('folder that the parent of cuervo left open', {
  needs: { file: '/usr/bin/bwrap', install: 'sudo apt-get install bubblewrap' },
  denied: [
    ['native code of a plugin process does not inherit it', () => expectCovered('none')],
    ['nor does it in the sandbox of the operating system', () => expectCovered('os')],
    [
      'nor does a program',
      async () => {
        const { exitCode, stdout } = await runLaunch(
          { file: reader[0], args: reader.slice(1), env: {}, cwd: '/' },
          {
            shown: 'cat',
            stdin: undefined,
            timeoutMs: 10_000,
            maxOutputBytes: 1000,
            limits: defaultExecLimits,
            signal: AbortSignal.timeout(10_000),
          },
        );
        expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
      },
    ],
  ],
  control: [
    'a process that is simply started inherits it, and reads what lies there',
    async () => {
      const args = ['--no-warnings', bundle, '--plain', JSON.stringify(inputs())];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      expect(JSON.parse(stdout)).toMatchObject({ readLeaked: `ok ${place.secret}` });
      const read = await promisify(execFile)(reader[0], reader.slice(1));
      expect(read.stdout).toBe(`${place.secret}\n`);
    },
  ],
});
