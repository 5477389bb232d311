import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect } from 'vitest';
import { KernelError } from '../../src/contracts/error.ts';
import { openMessage } from '../../src/host/install/prepare-plugin.ts';
import { defaultLimits } from '../../src/host/limits.ts';
import { PluginProcess } from '../../src/host/run/plugin-process.ts';
import { createProcessSandbox, type ProcessSandbox } from '../../src/sandbox/process-sandbox.ts';
import { escapeCase } from './support/escape-case.ts';
import { bundlesFolder } from './support/paths.ts';
import { put, usePlace } from './support/place.ts';

/** `CUERVO_HOME` of a person whose home lies in the workspace. */
const homeBelowRoot = 'state';

const place = usePlace({
  fill: (made) => {
    put(made.work, '.env', 'KEY=of-the-workspace');
    put(made.work, `${homeBelowRoot}/grants.toml`, 'granted');
    put(made.home, 'plugins.lock', '{}');
    symlinkSync(join(made.outside, 'secret.txt'), join(made.work, 'link-outside'));
  },
});

const bundle = join(bundlesFolder, 'native.mjs');
const sandboxed = createProcessSandbox('os');

/** The sandbox alone: what is in it is bound by no permission model. */
const withoutPermissions: ProcessSandbox = {
  ...sandboxed,
  launch: (wanted) => {
    const launch = sandboxed.launch(wanted);
    const isPermission = (arg: string) => arg === '--permission' || arg.startsWith('--allow-');
    return { ...launch, args: launch.args.filter((arg) => !isPermission(arg)) };
  },
};

const needs = { file: '/usr/bin/bwrap', install: 'sudo apt-get install bubblewrap' };

type Found = Record<string, string>;

const inputs = () => ({
  work: place.work,
  outside: place.outside,
  home: place.home,
  up: '../'.repeat(place.work.split('/').length),
  port: process.pid,
  pid: process.pid,
});

function start(): PluginProcess {
  const child = new PluginProcess({
    bundle,
    roots: { work: place.work },
    withheld: { work: [homeBelowRoot] },
    sandbox: withoutPermissions,
    startTimeoutMs: 10_000,
  });
  const open = { ...openMessage({ pages: {}, files: {} }, defaultLimits), protectedPaths: {} };
  child.load({ open, files: () => [] });
  return child;
}

const message = (input: unknown) =>
  ({ tool: 'go', input: JSON.stringify(input), effect: 'pure', denied: {} }) as const;

async function probeInside<What = Found>(asked: object = inputs()): Promise<What> {
  await using child = start();
  const answer = await child.call(message(asked), { signal: AbortSignal.timeout(20_000) });
  if (answer.outcome !== 'ok') throw new Error(JSON.stringify(answer));
  return JSON.parse(answer.content) as What;
}

async function probeOutside<What = Found>(asked: object = inputs()): Promise<What> {
  const args = ['--no-warnings', bundle, '--plain', JSON.stringify(asked)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as What;
}

/** What a process finds in `/proc` and `/sys`. */
type Look = { seen: number; writable: string[]; ofRoot: string[]; tells: string[] };
const look = () => ({ look: true, needle: place.dir });

/** Ids of the processes in a sandbox around the root, which their mounts tell. */
function running(): string[] {
  const root = `${basename(place.dir)}/work `;
  return readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/mountinfo`, 'utf8').includes(root);
    } catch {
      return false;
    }
  });
}

// What would be left is ended here, by the only name that it has.
afterAll(() => {
  for (const id of running()) {
    try {
      process.kill(Number(id), 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
  removeWritten();
});

const written = () => [
  join(place.work, 'written'),
  join(place.outside, 'written'),
  `/tmp/cuervo-probe-${process.pid}`,
];

function removeWritten(): void {
  for (const path of written()) rmSync(path, { force: true });
}

const confined = async (names: readonly string[]) => {
  const found = await probeInside();
  expect(names.map((name) => `${name} ${found[name]}`)).toEqual(
    names.map((name) => `${name} failed`),
  );
};

const reads = [
  'readSecret',
  'readAbove',
  'readBeside',
  'readThroughLink',
  'readSystem',
  'readHome',
];
const writes = ['write', 'writeBeside', 'writeAnywhere'];
const others = [
  'connect',
  'signalOthers',
  'seeOthers',
  'sharedMemory',
  'queue',
  'unshare',
  'program',
  'trace',
  'environment',
];

escapeCase('native code in the sandbox of the operating system', {
  needs,
  denied: [
    ['no file but those of the root, by any path', () => confined(reads)],
    [
      'no key and nothing of CUERVO_HOME below the root',
      async () => {
        const { readKeys, readHomeBelowRoot } = await probeInside();
        expect({ readKeys, readHomeBelowRoot }).toEqual({
          readKeys: 'ok ',
          readHomeBelowRoot: 'failed',
        });
      },
    ],
    [
      'no file is written',
      async () => {
        // Of a process that had the same number.
        removeWritten();
        const before = place.state();
        await confined(writes);
        expect(written().filter((path) => existsSync(path))).toEqual([]);
        expect(place.state()).toBe(before);
      },
    ],
    ['no network, program, other process, namespace or variable', () => confined(others)],
  ],
  control: [
    'it reads the root, and outside the same code succeeds in all of it',
    async () => {
      expect((await probeInside()).readInside).toBe(`ok ${place.inside}`);
      const free = await probeOutside();
      removeWritten();
      const all = [...reads, ...writes, ...others];
      expect(all.filter((name) => free[name] === 'failed')).toEqual([]);
      expect(free.readAbove).toBe(`ok ${place.secret}`);
      expect(free.readKeys).toBe('ok KEY=of-the-workspace');
      expect(free.readHomeBelowRoot).toBe('ok granted');
    },
  ],
});

escapeCase('kernel and host as a plugin process sees them', {
  needs,
  denied: [
    [
      'no file in /proc and /sys opens for writing, and none that is root’s',
      async () => {
        const { seen, writable, ofRoot } = await probeInside<Look>(look());
        expect({ writable, ofRoot }).toEqual({ writable: [], ofRoot: [] });
        expect(seen).toBeGreaterThan(100);
      },
    ],
    [
      'no process tells a path of the host, beside the lists of mounts',
      async () => expect((await probeInside<Look>(look())).tells).toEqual([]),
    ],
  ],
  control: [
    'outside the same code opens files of its own process for writing, and is told the path',
    async () => {
      const { writable, tells } = await probeOutside<Look>(look());
      expect(writable).toContain('/proc/self/comm');
      expect(tells).toContain('/proc/self/cmdline');
    },
  ],
});

type Nameless = { read: boolean; written: boolean; openedAgain: boolean }[];

escapeCase('file without a name that brings a plugin', {
  needs,
  denied: [
    'what the process inherits is neither written nor opened again to be written',
    async () => {
      const found = await probeInside<Nameless>({ nameless: true });
      expect(found).toEqual([{ read: true, written: false, openedAgain: false }]);
    },
  ],
  control: [
    'one with the rights of any other file is',
    async () => {
      const found = await probeOutside<Nameless>({ nameless: true });
      expect(found).toEqual([{ read: true, written: true, openedAgain: true }]);
    },
  ],
});

/** A process that computes in a session of its own; resolves once it does. */
async function startStubborn(): Promise<{ child: PluginProcess; ended: Promise<unknown> }> {
  const child = start();
  let ended: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    const onMessage = () => resolve();
    const signal = AbortSignal.timeout(20_000);
    ended = child.call(message({ stay: true }), { signal, onMessage }).catch((thrown) => {
      reject(thrown);
      return thrown as unknown;
    });
  });
  return { child, ended };
}

escapeCase('process that will not end', {
  needs,
  denied: [
    'killed, nothing of it is left',
    async () => {
      const { child, ended } = await startStubborn();
      expect(running().length).toBeGreaterThan(0);
      child.kill(new KernelError('deadline-exceeded', 'late'));
      expect(await ended).toMatchObject({ code: 'deadline-exceeded' });
      await child[Symbol.asyncDispose]();
      expect(running()).toEqual([]);
    },
  ],
  control: [
    'while nobody kills it, it goes on',
    async () => {
      const { child } = await startStubborn();
      const found = running();
      expect(found.length).toBeGreaterThan(0);
      expect(child.ended).toBe(false);
      child.kill(new KernelError('canceled', 'enough'));
    },
  ],
});
