import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createProcessSandbox } from '../../sandbox/process-sandbox.ts';
import { openMessage } from '../install/prepare-plugin.ts';
import { defaultLimits } from '../limits.ts';
import { PluginProcess } from './plugin-process.ts';

const bundle = join(import.meta.dirname, '../../../tests/escape/bundles/frames.mjs');

/** A program that answers every call. */
function wellBehaved(): PluginProcess {
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
      entry: 'well-behaved',
      protectedPaths: {},
    },
    files: () => [],
  });
  return child;
}

it('leaves no deadline behind a call that was canceled when its process got ready', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  await using child = wellBehaved();
  const canceled = new AbortController();
  const message = { tool: 'go', input: '{}', effect: 'pure', denied: {} } as const;
  const timeoutMs = 2000;
  const call = child.call(message, { signal: canceled.signal, timeoutMs });
  const refused = expect(call).rejects.toMatchObject({ code: 'canceled' });
  await child.ready();
  canceled.abort();
  await refused;
  await vi.advanceTimersByTimeAsync(timeoutMs + 200);
  const { signal } = new AbortController();
  expect(await child.call(message, { signal })).toMatchObject({ outcome: 'ok' });
});
