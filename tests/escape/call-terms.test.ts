import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { defaultLimits } from '../../src/host/limits.ts';
import { parseLock } from '../../src/host/parse-lock.ts';
import { PluginProcess } from '../../src/host/plugin-process.ts';
import { openPluginStore } from '../../src/host/plugin-store.ts';
import { openMessage } from '../../src/host/prepare-plugin.ts';
import { maxFrameBytes } from '../../src/host/protocol/frame.ts';
import type { CallTerms, ResultMessage } from '../../src/host/protocol/messages.ts';
import { createProcessSandbox } from '../../src/host/tier/process-sandbox.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { root } from './support/paths.ts';
import { usePlace } from './support/place.ts';

const place = usePlace({
  fill: async (made) => made.install(await buildGuest('pure-liar'), ['fs:work', 'clock']),
});

function openReader(): PluginProcess {
  const lock = join(place.home, 'plugins.lock');
  const [record] = parseLock(readFileSync(lock, 'utf8'), lock);
  if (record === undefined) throw new Error('the guest is not installed');
  const child = new PluginProcess({
    bundle: join(root, 'dist/process.cjs'),
    roots: { work: place.work },
    withheld: {},
    sandbox: createProcessSandbox('auto'),
    startTimeoutMs: 10_000,
  });
  child.load({
    open: { ...openMessage(record, defaultLimits), protectedPaths: {} },
    files: () => openPluginStore(place.home).read(record),
  });
  return child;
}

const { signal } = new AbortController();
const granted = {};
const withdrawn = { fs: 'it was withdrawn' };

function read(
  child: PluginProcess,
  terms: CallTerms,
  input = '{"path":"inside.txt"}',
): Promise<ResultMessage> {
  return child.call({ tool: 'read', input, ...terms }, { signal });
}

const denied = (message: RegExp) => ({
  outcome: 'error',
  case: 'denied',
  message: expect.stringMatching(message),
});

escapeCase('terms of another call', {
  denied: [
    [
      'each call has its own, whatever the one before might do',
      async () => {
        await using child = openReader();
        expect(await read(child, { effect: 'read', denied: granted })).toMatchObject({
          outcome: 'ok',
        });
        const pure = { effect: 'pure', denied: granted } as const;
        expect(await read(child, pure)).toMatchObject(denied(/above the effect "pure"/));
        const without = { effect: 'read', denied: withdrawn } as const;
        expect(await read(child, without)).toMatchObject(denied(/it was withdrawn/));
        expect(await read(child, without)).toMatchObject(denied(/it was withdrawn/));
      },
    ],
    [
      'those of one that no frame held were never told',
      async () => {
        await using child = openReader();
        const pure = { effect: 'pure', denied: granted } as const;
        await read(child, { effect: 'read', denied: granted });
        const tooLong = 'x'.repeat(maxFrameBytes);
        await expect(read(child, pure, tooLong)).rejects.toThrow(RangeError);
        expect(await read(child, pure)).toMatchObject(denied(/above the effect "pure"/));
      },
    ],
  ],
  control: [
    'a call that may read reads, also behind one that may not',
    async () => {
      await using child = openReader();
      const reading = { effect: 'read', denied: granted } as const;
      expect(await read(child, reading)).toMatchObject({ outcome: 'ok' });
      await read(child, { effect: 'pure', denied: withdrawn });
      const { content } = (await read(child, reading)) as ResultMessage & { outcome: 'ok' };
      expect(content).toContain(place.inside);
    },
  ],
});
