import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect } from 'vitest';
import { openMessage } from '../../src/host/install/prepare-plugin.ts';
import { defaultLimits } from '../../src/host/limits.ts';
import { PluginProcess } from '../../src/host/run/plugin-process.ts';
import { createProcessSandbox } from '../../src/sandbox/process-sandbox.ts';
import { escapeCase } from './support/escape-case.ts';
import { bundlesFolder } from './support/paths.ts';
import { put, usePlace } from './support/place.ts';

let server: Server | undefined;
let heard = 0;

const place = usePlace({
  fill: async (made) => {
    put(made.dir, 'scratch/keep', '');
    server = createServer((_, response) => response.end('heard'));
    server.on('connection', () => (heard += 1));
    await new Promise<void>((ready) => server?.listen(0, '127.0.0.1', () => ready()));
  },
});
afterAll(() => server?.close());

type Found = Record<string, string> & {
  environment: string[];
  folder: string;
  arguments: string[];
};

const inputs = () => ({
  port: ((server as Server).address() as AddressInfo).port,
  outside: place.outside,
  scratch: join(place.dir, 'scratch'),
  work: place.work,
});

/** The workspace as a probe expects it, whatever one that was free to has left there. */
function setOut(): void {
  for (const name of ['written', 'made', 'linked', 'moved']) {
    rmSync(join(place.work, name), { recursive: true, force: true });
  }
  put(place.work, 'inside.txt', `${place.inside}\n`);
}

/** The probe with the flags, the environment and the descriptors of a real plugin process. */
async function probeInside(): Promise<Found> {
  await using child = new PluginProcess({
    bundle: join(bundlesFolder, 'probe.mjs'),
    roots: { work: place.work },
    withheld: {},
    // What the permission model stops shows where nothing else does.
    sandbox: createProcessSandbox('none'),
    startTimeoutMs: 10_000,
  });
  child.load({
    open: { ...openMessage({ pages: {}, files: {} }, defaultLimits), protectedPaths: {} },
    files: () => [],
  });
  const message = {
    tool: 'go',
    input: JSON.stringify(inputs()),
    effect: 'pure',
    denied: {},
  } as const;
  const answer = await child.call(message, { signal: AbortSignal.timeout(20_000) });
  if (answer.outcome !== 'ok') throw new Error(JSON.stringify(answer));
  return JSON.parse(answer.content) as Found;
}

/** The same script without any of it. */
async function probeOutside(): Promise<Found> {
  const args = [join(bundlesFolder, 'probe.mjs'), '--plain', JSON.stringify(inputs())];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { PROBE: '1', PATH: '' },
  });
  return JSON.parse(stdout) as Found;
}

const files = [
  ...[
    'readFile',
    'readOutside',
    'readParent',
    'openParent',
    'readProcRoot',
    'readEnviron',
    'readParentEnviron',
  ],
  ...['list', 'write', 'writeBelowRoot', 'makeDirectory', 'makeLink', 'rename', 'remove'],
  ...['changeMode', 'changeTimes'],
];
const others = ['connect', 'fetch', 'udp', 'listen', 'lookUp', 'spawn', 'fork'];
const code = ['worker', 'workerFree', 'wasi', 'addon', 'inspect', 'evaluate'];

const succeeded = (found: Found, names: readonly string[]) =>
  names.filter((name) => !found[name]?.startsWith('failed'));

escapeCase('native code in a plugin process', {
  denied: [
    [
      'files, folders, links and times: nothing but what is below its descriptors',
      async () => {
        const before = place.state();
        const found = await probeInside();
        expect(succeeded(found, files)).toEqual([]);
        expect(place.state()).toBe(before);
      },
    ],
    [
      'network and programs',
      async () => {
        heard = 0;
        expect(succeeded(await probeInside(), others)).toEqual([]);
        expect(heard).toBe(0);
      },
    ],
    [
      'workers, WASI, addons, the debugger, code from text',
      async () => expect(succeeded(await probeInside(), code)).toEqual([]),
    ],
    [
      'environment, arguments and folder are empty',
      async () => {
        const { environment, folder, arguments: given } = await probeInside();
        expect({ environment, folder, given }).toEqual({ environment: [], folder: '/', given: [] });
      },
    ],
  ],
  control: [
    'the same script succeeds without the flags, and inside it reads below its descriptor',
    async () => {
      heard = 0;
      setOut();
      const free = await probeOutside();
      const denied = new Set(['addon', 'readParentEnviron']);
      const expected = [...files, ...others, ...code].filter((name) => !denied.has(name));
      expect(expected.filter((name) => free[name]?.startsWith('failed'))).toEqual([]);
      expect(free.environment).toContain('PROBE');
      expect(heard).toBeGreaterThan(0);
      setOut();
      expect((await probeInside()).readBelowRoot).toBe(`ok ${place.inside}`);
    },
  ],
});
