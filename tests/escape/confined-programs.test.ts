import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect } from 'vitest';
import type { Confine } from '../../src/contracts/confined-program.ts';
import { runChild } from '../../src/host/install/transpile/run-child.ts';
import { spawnModelProcess } from '../../src/models/spawn-model-process.ts';
import { createProcessSandbox } from '../../src/sandbox/process-sandbox.ts';
import { unconfined } from '../support/unconfined.ts';
import { escapeCase } from './support/escape-case.ts';
import { bundlesFolder } from './support/paths.ts';
import { put, usePlace } from './support/place.ts';

let server: Server | undefined;
const place = usePlace({
  fill: async (made) => {
    put(made.work, 'models/model.gguf', 'weights');
    put(made.work, 'models/other.gguf', 'others');
    put(made.home, 'config.toml', '# mine');
    server = createServer((_, response) => response.end());
    await new Promise<void>((ready) => server?.listen(0, '127.0.0.1', () => ready()));
  },
});
afterAll(() => server?.close());

const bundle = join(bundlesFolder, 'reader.mjs');
const needs = { file: '/usr/bin/bwrap', install: 'sudo apt-get install bubblewrap' };
const inputs = () => ({
  outside: place.outside,
  home: place.home,
  work: place.work,
  port: ((server as Server).address() as AddressInfo).port,
});

/** What native code meets: the sandbox, and no permission model. */
const sandboxAlone: Confine = async (program, firstInherited) => {
  const launch = await createProcessSandbox('os').confine(program, firstInherited);
  const isPermission = (arg: string) => arg === '--permission' || arg.startsWith('--allow-');
  return { ...launch, args: launch.args.filter((arg) => !isPermission(arg)) };
};
const permissionsAlone = createProcessSandbox('none').confine;
/** Neither, and a variable to find. */
const free: Confine = async (program, firstInherited) => ({
  ...(await unconfined(program, firstInherited)),
  env: { PROBE: '1' },
});

type Found = Record<string, string>;

/** As `transpile`, `wrap` and `compile` are run. */
async function inTranspiler(confine: Confine): Promise<Found> {
  const output = await runChild(Buffer.from(JSON.stringify(inputs())), {
    ...{ bundle, confine, args: ['stdin'], timeoutMs: 60_000 },
    ...{ signal: new AbortController().signal, doing: 'probing', failed: 'the probe failed' },
  });
  return JSON.parse(output.toString()) as Found;
}

/** As models of both kinds are run. */
async function inModelProcess(confine: Confine, writes?: string): Promise<Found> {
  const model = join(place.work, 'models/model.gguf');
  const reads = { folder: join(place.work, 'models'), files: ['model.gguf'] };
  let ending = '';
  const child = await spawnModelProcess(
    { childPath: bundle, confine, reads, ...(writes === undefined ? {} : { writes }) },
    {
      replyFd: 3,
      onStartFailure: (thrown) => (ending = thrown.message),
      onEnd: (how) => (ending = how),
    },
  );
  const folder = writes === undefined ? {} : { folder: child.find(writes) };
  child.writeLine(JSON.stringify({ inputs: inputs(), model: child.find(model), ...folder }));
  const said = await text(child.replies);
  await child.exited;
  expect(said, ending).not.toBe('');
  return JSON.parse(said) as Found;
}

function setOut(): void {
  rmSync(join(place.work, 'written'), { force: true });
  rmSync(join(bundlesFolder, 'written.mjs'), { force: true });
  rmSync(`/tmp/cuervo-reader-${inputs().port}`, { force: true });
}
afterAll(setOut);

/** All that may succeed is to read the model. */
async function confined(run: (confine: Confine) => Promise<Found>, confine: Confine) {
  const before = place.state();
  const { readModel = 'ok weights', ...others } = await run(confine);
  expect(readModel).toBe('ok weights');
  expect(Object.entries(others).filter(([, how]) => how !== 'failed')).toEqual([]);
  expect(place.state()).toBe(before);
}

async function succeedsWithout(run: (confine: Confine) => Promise<Found>) {
  const found = await run(free);
  setOut();
  // Nothing of a model is told to a transpiler.
  const failed = Object.entries(found).filter(([, how]) => how === 'failed');
  expect(failed.map(([name]) => name).filter((name) => name !== 'readBesideModelInside')).toEqual(
    [],
  );
  expect(found.readSecret).toBe(`ok ${place.secret}`);
}

escapeCase('process that transpiles or compiles, in the sandbox of the operating system', {
  needs,
  denied: [
    'it reads its own files alone, writes nothing, starts nothing and reaches nobody',
    async () => await confined(inTranspiler, sandboxAlone),
  ],
  control: [
    'unconfined the same code does all of it',
    async () => await succeedsWithout(inTranspiler),
  ],
});

escapeCase('process that transpiles or compiles, under the permission model alone', {
  denied: [
    'it reads its own files alone, writes nothing, starts nothing and reaches nobody',
    async () => await confined(inTranspiler, permissionsAlone),
  ],
  control: [
    'unconfined the same code does all of it',
    async () => await succeedsWithout(inTranspiler),
  ],
});

escapeCase('process of a model, in the sandbox of the operating system', {
  needs,
  denied: [
    'it reads its own files alone, writes nothing, starts nothing and reaches nobody',
    async () => await confined(inModelProcess, sandboxAlone),
  ],
  control: [
    'unconfined the same code does all of it',
    async () => await succeedsWithout(inModelProcess),
  ],
});

/** Where what one model made of prompts is kept, beside that of another. */
function ownFolder(): string {
  rmSync(join(place.home, 'prompt-states'), { recursive: true, force: true });
  put(place.home, 'prompt-states/neighbour/state', 'of another model');
  const folder = join(place.home, 'prompt-states/own');
  mkdirSync(folder);
  return folder;
}

escapeCase('process of a model with a folder of its own', {
  needs,
  denied: [
    'it writes there alone: not above it, not beside it, and not through a link that it lays there',
    async () => {
      const folder = ownFolder();
      const found = await inModelProcess(sandboxAlone, folder);
      const { readModel, writeOwn, ...others } = found;
      expect({ readModel, writeOwn }).toEqual({ readModel: 'ok weights', writeOwn: 'ok' });
      expect(Object.entries(others).filter(([, how]) => how !== 'failed')).toEqual([]);
      expect(readFileSync(join(folder, 'own'), 'utf8')).toBe('state');
      expect(existsSync(join(place.work, 'written'))).toBe(false);
    },
  ],
  control: [
    'unconfined the same code does all of it',
    async () => {
      const found = await inModelProcess(free, ownFolder());
      setOut();
      expect(Object.entries(found).filter(([, how]) => how === 'failed')).toEqual([]);
    },
  ],
});

escapeCase('process of a model, under the permission model alone', {
  denied: [
    'it reads its own files alone, writes nothing, starts nothing and reaches nobody',
    async () => await confined(inModelProcess, permissionsAlone),
  ],
  control: [
    'unconfined the same code does all of it',
    async () => await succeedsWithout(inModelProcess),
  ],
});
