import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startOpenAiServer } from '../fixtures/openai-server/server.ts';
import { openPlace } from '../support/place.ts';

const path = 'docs/flux.md';
const said = 'The flux capacitor takes 1.21 gigawatts of plutonium power.';

it.each(['changes', 'goes'])(
  'an answer is shown again until a file of its evidence %s',
  async (how) => {
    using place = openPlace({ [path]: 'The flux capacitor limit is 1.21.\n' });
    await using server = await startOpenAiServer(({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? { type: 'message', text: said }
        : { type: 'message', text: '', toolCalls: [{ name: 'file__read', input: { path } }] },
    );
    await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--local']);
    const asked = await place.cuervo([
      'ask',
      'what does the flux capacitor take?',
      '-m',
      'srv/test',
    ]);
    expect(asked.code, asked.stderr).toBe(0);
    const again = async () =>
      (await place.cuervo(['ask', 'how many gigawatts of plutonium power?'])).stdout;
    expect(await again()).toContain(`answered: ${said}`);
    if (how === 'goes') rmSync(join(place.work, path));
    else writeFileSync(join(place.work, path), 'The flux capacitor limit is 2.\n');
    expect(await again()).not.toContain(said);
  },
);

it('half an answer and a question are no evidence', async () => {
  using place = openPlace({ [path]: 'The flux capacitor limit is 1.21.\n' });
  await using server = await startOpenAiServer(() => ({
    ...{ type: 'message', text: said, finish: 'content_filter' },
  }));
  await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--local']);
  const words = 'how many gigawatts of plutonium power?';
  await place.cuervo(['ask', words, '-m', 'srv/test']);
  const { stdout } = await place.cuervo(['ask', words]);
  expect(stdout).not.toContain(said);
  expect(stdout).not.toContain('From memory');
});
