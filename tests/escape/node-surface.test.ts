import { spawn } from 'node:child_process';
import * as nodeFs from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { once } from '../../src/lib/memo.ts';
import { confinePlainly } from '../../src/sandbox/confine-program.ts';
import { createProcessSandbox } from '../../src/sandbox/process-sandbox.ts';
import { escapeCase } from './support/escape-case.ts';
import surface from './support/node-surface.json' with { type: 'json' };
import { bundlesFolder } from './support/paths.ts';
import { put, usePlace } from './support/place.ts';

const fs: Record<string, unknown> = { ...nodeFs };
const bundle = join(bundlesFolder, 'surface.cjs');

/** Modules that programs of locked processes load: files are what the permission model is for. */
const openModules = ['buffer', 'fs', 'fs/promises', 'path', 'vm'];

/** What packages that run models load of Node. The permission model is asked about files and network. */
const openToModels = [
  ...[
    'assert',
    'async_hooks',
    'buffer',
    'child_process',
    'console',
    'constants',
    'crypto',
    'events',
  ],
  ...['fs', 'fs/promises', 'module', 'net', 'os', 'path', 'process', 'stream', 'stream/promises'],
  ...['string_decoder', 'timers', 'timers/promises', 'tty', 'url', 'util', 'worker_threads'],
];
/** An environment of its own, native code, and how packages are found: whether a path is there. */
const callsOfModels = [
  ...['environment', 'addon', 'hooks', 'types', 'tellsOfFile', 'tellsByStat', 'tellsByImport'],
];

/** What is left of `process`: of these none acts on anything but the process itself. */
const openOfProcess = [
  ...['_events', '_eventsCount', '_exiting', '_maxListeners', 'arch', 'argv', 'argv0', 'chdir'],
  ...['config', 'cwd', 'domain', 'emitWarning', 'env', 'execArgv', 'execPath', 'exit', 'exitCode'],
  // Leads to what loads modules, which asks the lock.
  ...['mainModule'],
  ...['features', 'getBuiltinModule', 'hrtime', 'nextTick', 'permission', 'platform'],
  ...['reallyExit', 'release', 'stderr', 'stdin', 'stdout', 'version', 'versions'],
];

/** A module of that name is linked into no Node; `lchmod` is there on macOS alone. */
const neverThere = ['linkedBinding', 'lchmod', 'lchmodSync', 'promises.lchmod'];

/** They take a descriptor, of which a process has only its own, or make a value. */
const ofDescriptors = [
  ...['Dir', 'Dirent', 'Stats', '_toUnixTimestamp', 'close', 'closeSync', 'fdatasync'],
  ...['fdatasyncSync', 'fstat', 'fstatSync', 'fsync', 'fsyncSync', 'ftruncate', 'ftruncateSync'],
  ...['read', 'readSync', 'readv', 'readvSync', 'unwatchFile', 'write', 'writeSync', 'writev'],
  'writevSync',
];

type Found = {
  builtin: string[];
  exports: Record<string, string[]>;
  reached: Record<string, string[]>;
  process: string[];
  globals: string[];
  calls: Record<string, string>;
  files: Record<string, string>;
};

const place = usePlace({
  fill: (made) => {
    put(made.dir, 'scratch/keep');
    nodeFs.mkdirSync(join(made.outside, 'empty'));
    nodeFs.symlinkSync('secret.txt', join(made.outside, 'link'));
    using store = new DatabaseSync(join(made.outside, 'store.db'));
    store.exec('create table words (text)');
    store.prepare('insert into words values (?)').run(made.secret);
  },
});

/** @returns what it found, and whether files are as they were */
async function probe(program: string, args: readonly string[]) {
  const { outside, dir, secret: secretText } = place;
  // To be signalled.
  const victim = spawn('sleep', ['600'], { stdio: 'ignore' });
  const before = place.state();
  const modules = Object.keys(surface.modules);
  const input = { modules, outside, scratch: join(dir, 'scratch'), secretText, pid: victim.pid };
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], env: {}, cwd: '/' });
  let [printed, said] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  child.stdin.end(JSON.stringify(input));
  const code = await new Promise((resolve) => child.once('close', resolve));
  victim.kill();
  if (code !== 0) throw new Error(`the probe ended with ${code}: ${said}`);
  return { ...(JSON.parse(printed) as Found), isUnchanged: place.state() === before };
}

/** As a plugin process is started where there is no bubblewrap. */
const probePlugin = once(() => {
  const { program, args } = createProcessSandbox('none').launch({
    bundle,
    roots: {},
    withheld: {},
  });
  return probe(program, args);
});

/** As a process is started that transpiles or compiles. */
const probeTranspiler = once(() => {
  const { program, args } = confinePlainly({ entry: bundle, flags: ['--no-warnings'] });
  return probe(program, args);
});

/** As a process is started that runs a model, which loads native code and more of Node. */
const probeModel = once(() => {
  const ofModel = { entry: bundle, flags: ['--no-warnings'], isNative: true };
  const { program, args } = confinePlainly(ofModel);
  return probe(program, args);
});

const probeFree = once(() => probe(process.execPath, ['--no-warnings', bundle]));

const succeeded = (found: Readonly<Record<string, string>>) =>
  Object.keys(found).filter((name) => found[name]?.startsWith('ok'));

type Probe = () => Promise<Found & { isUnchanged: boolean }>;

async function expectListedModules(probeInside: Probe): Promise<void> {
  const { reached } = await probeInside();
  const open = Object.keys(reached).filter((name) => reached[name]?.length !== 0);
  expect(open.sort()).toEqual(openModules);
  expect(reached.fs).toContain('require');
}

async function expectListedMembers(probeInside: Probe): Promise<void> {
  const found = await probeInside();
  expect(found.process.filter((name) => !openOfProcess.includes(name))).toEqual([]);
  expect(found.globals.filter((name) => !surface.globals.includes(name))).toEqual([]);
}

async function expectNothingDone(probeInside: Probe): Promise<void> {
  const { calls, files, isUnchanged } = await probeInside();
  expect(succeeded(calls)).toEqual([]);
  expect(succeeded(files)).toEqual([]);
  expect(isUnchanged).toBe(true);
}

/** The same script without the flags. */
async function expectAllDone(): Promise<void> {
  const { reached, calls, files } = await probeFree();
  expect(Object.keys(reached).filter((name) => reached[name]?.length === 0)).toEqual([]);
  const all = { ...calls, ...files };
  const isDone = new Set([...succeeded(all), ...neverThere]);
  expect(Object.keys(all).filter((name) => !isDone.has(name))).toEqual([]);
  expect(calls.sqliteReads).toBe(`ok ${place.secret}`);
}

escapeCase('what Node offers to a plugin process', {
  denied: [
    ['no module but those that are listed, by no way', () => expectListedModules(probePlugin)],
    [
      'nothing of process that acts on others, and no global that is not listed',
      () => expectListedMembers(probePlugin),
    ],
    [
      'nothing that the permission model does not ask about, and no file',
      () => expectNothingDone(probePlugin),
    ],
  ],
  control: ['the same script does all of it without the flags', expectAllDone],
});

escapeCase('what Node offers to a process that transpiles', {
  denied: [
    ['no module but those that are listed, by no way', () => expectListedModules(probeTranspiler)],
    [
      'nothing of process that acts on others, and no global that is not listed',
      () => expectListedMembers(probeTranspiler),
    ],
    [
      'nothing that the permission model does not ask about, and no file',
      () => expectNothingDone(probeTranspiler),
    ],
  ],
  control: ['the same script does all of it without the flags', expectAllDone],
});

escapeCase('what Node offers to a process that runs a model', {
  denied: [
    [
      'no module but those that are listed, by no way',
      async () => {
        const { reached } = await probeModel();
        const open = Object.keys(reached).filter((name) => reached[name]?.length !== 0);
        expect(open.sort()).toEqual(openToModels);
      },
    ],
    [
      'nothing of the machine, of other processes and of files but what is listed',
      async () => {
        const { calls, files, isUnchanged } = await probeModel();
        expect(succeeded(calls)).toEqual(callsOfModels);
        // It says whether a path is there, as finding a package does.
        expect(succeeded(files)).toEqual(['realpathSync']);
        expect(isUnchanged).toBe(true);
      },
    ],
  ],
  control: ['the same script does all of it without the flags', expectAllDone],
});

escapeCase('Node that offers more than is known', {
  denied: [
    'each module, export, property of process and global of this Node is in the list',
    async () => {
      const { builtin, exports: found, process: ofProcess, globals } = await probeFree();
      expect({ modules: found, process: ofProcess }).toEqual({
        modules: surface.modules,
        process: surface.process,
      });
      expect(builtin).toEqual(Object.keys(surface.modules).sort());
      expect(globals.filter((name) => !surface.globals.includes(name))).toEqual([]);
    },
  ],
  control: [
    'each function of the module that is open is tried, but for those of an open descriptor',
    async () => {
      const { files } = await probeFree();
      const functions = surface.modules.fs.filter((name) => typeof fs[name] === 'function');
      const untried = functions.filter((name) => !Object.hasOwn(files, name));
      expect(untried).toEqual(ofDescriptors);
    },
  ],
});
