import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProcessSandbox } from '../../sandbox/process-sandbox.ts';
import { openMessage } from '../install/prepare-plugin.ts';
import { defaultLimits } from '../limits.ts';
import { createCallServer } from './call-server.ts';
import { PluginProcess } from './plugin-process.ts';
import { createProcessPool } from './process-pool.ts';
import { createRequestRate } from './serve-request.ts';

const bundle = join(import.meta.dirname, '../../../tests/escape/bundles/frames.mjs');

/** A program that gets ready and then answers nothing. */
function silent(): PluginProcess {
  const child = new PluginProcess({
    bundle,
    roots: {},
    withheld: {},
    sandbox: createProcessSandbox('auto'),
    startTimeoutMs: 10_000,
  });
  child.load({
    open: {
      ...openMessage({ pages: {}, files: {} }, defaultLimits),
      entry: 'says-nothing',
      protectedPaths: {},
    },
    files: () => [],
  });
  return child;
}

it('ends a share that a sibling never answers with the call that asked for it', async () => {
  const started: PluginProcess[] = [];
  await using pool = createProcessPool(() => {
    const child = silent();
    started.push(child);
    return child;
  });
  pool.warm();
  await started[0]?.ready();
  // That of the run, which has further calls.
  const { signal } = new AbortController();
  const server = createCallServer({
    services: new Map(),
    caller: { plugin: 'search', digest: '' },
    signal,
    effect: 'read',
    denied: {},
    maxHostCalls: 1000,
    rate: createRequestRate(1000),
    pool,
    onServed: () => {},
  });
  const request = { id: 1, call: 'help.scan', args: ['work:', {}, { after: 'a.txt' }] };
  expect(await server.serve(request)).toEqual({ value: true });
  const found = server.serve({ id: 1, call: 'help.collect', args: [] });
  await server.end();
  expect(await found).toEqual({ value: null });
  expect(started[0]?.ended).toBe(true);
  expect(await pool.take(signal)).toBe(started[1]);
});
