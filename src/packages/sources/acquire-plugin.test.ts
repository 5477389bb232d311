import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { defaultLimits } from '../../host/limits.ts';
import { createAcquire } from './acquire-plugin.ts';

it('names no key of a limit that no configuration can set', async () => {
  const limits = { ...defaultLimits, maxPluginBytes: 10 };
  const ports = {
    home: '/',
    cache: '/',
    roots: () => [],
    environment: () => ({}),
    noteRequest: async () => {},
  };
  const file = fileURLToPath(import.meta.url);
  const { signal } = new AbortController();
  await expect(createAcquire({ ...ports, limits }).from(file, { signal })).rejects.toMatchObject({
    code: 'plugin-fault',
    message: expect.stringMatching(/ has \d+ bytes, limit 10$/),
  });
});
