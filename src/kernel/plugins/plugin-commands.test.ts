import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { defaultLimits } from '../../host/limits.ts';
import { createPluginCommands } from './plugin-commands.ts';

it('names no key of a limit that no configuration can set', async () => {
  const limits = { ...defaultLimits, maxPluginBytes: 10 };
  const commands = createPluginCommands({ limits } as Parameters<typeof createPluginCommands>[0]);
  const file = fileURLToPath(import.meta.url);
  const { signal } = new AbortController();
  await expect(commands.inspect(file, { signal })).rejects.toMatchObject({
    code: 'plugin-fault',
    message: expect.stringMatching(/ has \d+ bytes, limit 10$/),
  });
});
