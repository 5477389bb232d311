import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openPluginStore } from '../../src/host/install/plugin-store.ts';
import { openMessage } from '../../src/host/install/prepare-plugin.ts';
import { defaultLimits } from '../../src/host/limits.ts';
import { createPluginHost } from '../../src/host/plugin-host.ts';
import { PluginProcess } from '../../src/host/run/plugin-process.ts';
import { createProcessSandbox } from '../../src/sandbox/process-sandbox.ts';
import type { Outcome } from './guests/attempt.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { answered, expectAllRefused } from './support/outcomes.ts';
import { bundlesFolder, root } from './support/paths.ts';
import { put, usePlace } from './support/place.ts';

/** Plugin processes as they are started where no name is reached below an open directory. */
const sandbox = createProcessSandbox('auto', { platform: 'darwin' });

const place = usePlace({
  fill: async (made) => {
    const { work, outside } = made;
    put(made.dir, 'scratch/keep', '');
    put(made.dir, 'work-beside/secret.txt', made.secret);
    put(work, 'sub/file.txt', made.inside);
    put(work, '.env', made.secret);
    mkdirSync(join(outside, 'folder'));
    put(outside, 'folder/secret.txt', made.secret);
    const link = (target: string, path: string) => symlinkSync(target, join(work, path));
    link(join(outside, 'secret.txt'), 'to-file');
    link('../outside/secret.txt', 'to-file-relative');
    link('../outside/folder', 'to-folder');
    link('..', 'to-parent');
    link('../work-beside', 'to-neighbour');
    link('sub', 'inside-folder');
    await made.install(await buildGuest('link-follower'));
  },
});

async function tryAll(paths: readonly string[]): Promise<Outcome[]> {
  await using host = createPluginHost({
    stores: [{ store: openPluginStore(place.home), builtin: false }],
    permit: () => ({ denied: {}, roots: { work: place.work } }),
    protectedPaths: {},
    services: new Map(),
    processBundle: join(root, 'dist/process.cjs'),
    sandbox,
    limits: defaultLimits,
  });
  const call = { tool: 'link-follower.try-all', input: { paths: [...paths] } };
  const signal = new AbortController().signal;
  for await (const event of host.invoke(call, { signal, timeoutMs: 20_000 })) {
    if (event.type !== 'output') continue;
    expect(event.output.content).not.toContain(place.secret);
    return JSON.parse(event.output.content) as Outcome[];
  }
  throw new Error('the guest gave no output');
}

escapeCase('links where names are reached by path', {
  denied: [
    [
      'to files and folders outside, in every call',
      async () => {
        const folders = ['to-folder', 'to-folder/secret.txt', 'to-parent/outside/secret.txt'];
        const neighbours = ['to-neighbour/secret.txt', 'to-neighbour'];
        const paths = ['to-file', 'to-file-relative', ...folders, ...neighbours];
        expectAllRefused(await tryAll(paths), ['denied']);
      },
    ],
    [
      'paths that lead up, and protected names',
      async () => {
        const paths = ['../outside/secret.txt', 'sub/../../outside/secret.txt', '/etc/hostname'];
        expectAllRefused(await tryAll(paths), ['invalid']);
        expectAllRefused(await tryAll(['.env']), ['denied']);
      },
    ],
  ],
  control: [
    'what lies inside is reached in every call, also through a link that stays inside',
    async () => {
      const all = ['stat', 'stat-many', 'list-dir', 'walk', 'scan', 'tally'];
      expect(answered(await tryAll(['sub']))).toEqual(all);
      const found = await tryAll(['inside-folder/file.txt']);
      const text = found.find(({ call }) => call === 'read-text');
      expect(JSON.stringify(text)).toContain(place.inside);
    },
  ],
});

async function probe(): Promise<Record<string, string>> {
  await using child = new PluginProcess({
    bundle: join(bundlesFolder, 'probe.mjs'),
    roots: { work: place.work },
    withheld: {},
    sandbox,
    startTimeoutMs: 10_000,
  });
  child.load({
    open: { ...openMessage({ pages: {}, files: {} }, defaultLimits), protectedPaths: {} },
    files: () => [],
  });
  const input = { port: 9, outside: place.outside, scratch: join(place.dir, 'scratch') };
  const answer = await child.call(
    { tool: 'go', input: JSON.stringify(input), effect: 'pure', denied: {} },
    { signal: AbortSignal.timeout(20_000) },
  );
  if (answer.outcome !== 'ok') throw new Error(JSON.stringify(answer));
  return JSON.parse(answer.content) as Record<string, string>;
}

escapeCase('process that is given the paths of its roots', {
  denied: [
    'reads nothing else, writes nothing, starts nothing',
    async () => {
      const before = place.state();
      const {
        readBelowRoot: _,
        environment: __,
        folder: ___,
        arguments: ____,
        ...found
      } = await probe();
      const succeeded = Object.entries(found).filter(([, what]) => !what.startsWith('failed'));
      expect(succeeded).toEqual([]);
      expect(place.state()).toBe(before);
    },
  ],
  control: [
    'reads what lies below its root',
    async () => {
      expect((await probe()).readBelowRoot).toBe(`ok ${place.inside}`);
    },
  ],
});
