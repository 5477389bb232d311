import { expect } from 'vitest';
import type { PluginProcess } from '../../src/host/run/plugin-process.ts';
import { createRequestRate, createRequestServer } from '../../src/host/run/serve-request.ts';
import { maxFrameBytes } from '../../src/protocol/frame.ts';
import type { CallTerms, ResultMessage } from '../../src/protocol/messages.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { emptyProcess, loadedGuest } from './support/guest-process.ts';
import { usePlace } from './support/place.ts';

const place = usePlace({
  fill: async (made) => made.install(await buildGuest('pure-liar'), ['fs:work', 'clock']),
});

function openReader(): PluginProcess {
  const child = emptyProcess({ work: place.work });
  child.load(loadedGuest(place, 'pure-liar'));
  return child;
}

const { signal } = new AbortController();
const granted = {};
const withdrawn = { fs: 'it was withdrawn' };

/** The process refuses by the terms it was told; the kernel says why, by those of the call. */
function read(
  child: PluginProcess,
  terms: CallTerms,
  input = '{"path":"inside.txt"}',
): Promise<ResultMessage> {
  const onRequest = createRequestServer({
    ...terms,
    services: new Map(),
    caller: { plugin: 'pure-liar', digest: '', signal },
    maxHostCalls: 10,
    rate: createRequestRate(10),
    record: () => {},
  });
  return child.call({ tool: 'read', input, ...terms }, { signal, onRequest });
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
        const reading = { effect: 'read', denied: granted } as const;
        expect(await read(child, reading)).toMatchObject({ outcome: 'ok' });
        const pure = { effect: 'pure', denied: granted } as const;
        expect(await read(child, pure)).toMatchObject(denied(/above the effect "pure"/));
        // Without terms of its own, the next call would be let through by those of this one.
        expect(await read(child, reading)).toMatchObject({ outcome: 'ok' });
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
