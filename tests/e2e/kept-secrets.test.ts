import { expect, it } from 'vitest';
import { startAnthropicServer } from '../fixtures/anthropic-server/server.ts';
import { startOpenAiServer } from '../fixtures/openai-server/server.ts';
import { filesWith } from '../support/files-with.ts';
import { openPlace, type Place } from '../support/place.ts';

// Put together here, so that this file holds none.
const token = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
const near = 'zyplainword';
const question = 'read the file about the customer and say what is in it';
const path = 'customer.md';

/** The file is read, then all of it is said again. */
async function askLocal(place: Place): Promise<string> {
  await using server = await startOpenAiServer(({ messages, tools }) => {
    const read = messages.filter(({ role }) => role === 'tool').at(-1);
    const isFirst = read === undefined && tools !== undefined;
    return isFirst
      ? { type: 'message', text: '', toolCalls: [{ name: 'file__read', input: { path } }] }
      : { type: 'message', text: `It holds ${near} and ${token}.` };
  });
  await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--local']);
  const ran = await place.cuervo(['ask', question, '-m', 'srv/test']);
  expect(ran.code, ran.stderr).toBe(0);
  return JSON.stringify(server.requests);
}

async function askRemote(place: Place): Promise<string> {
  const apiKey = 'test-key-of-the-local-server';
  await using server = await startAnthropicServer(
    (_, { number }) =>
      number === 1
        ? { type: 'message', toolUses: [{ name: 'file__read', input: { path } }] }
        : { type: 'message', text: `It holds ${near}.` },
    { apiKey },
  );
  const ran = await place.cuervo(['ask', question, '-m', 'claude-test'], {
    env: { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: server.url },
  });
  expect(ran.code, ran.stderr).toBe(0);
  return JSON.stringify(server.requests);
}

it.each([
  ['a local model', askLocal, true],
  ['a remote model', askRemote, false],
])(
  'a secret that %s read is in no file of the home',
  { timeout: 120_000 },
  async (_, ask, isSent) => {
    using place = openPlace({ [path]: `The customer is ${near}, token ${token}\n` });
    const sent = await ask(place);
    // The file was read, and what else it holds is kept.
    expect(sent).toContain(near);
    expect(sent.includes(token)).toBe(isSent);
    expect(filesWith(place, near)).not.toEqual([]);
    expect(filesWith(place, token)).toEqual([]);
    const talk = await place.cuervo(['session', 'export', '--json']);
    expect(talk.stdout).toContain(near);
    expect(talk.stdout).toContain('[redacted: github-token]');
  },
);

it('a secret in the input of a tool is in no file of the home, and its step is not replayed', async () => {
  using place = openPlace({});
  const input = JSON.stringify({ pattern: `${near} ${token}`, literal: true });
  const ran = await place.cuervo(['run', 'search.grep', input]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(filesWith(place, near)).not.toEqual([]);
  expect(filesWith(place, token)).toEqual([]);
  const run = `${(await place.cuervo(['runs', 'list', '--json'])).rows[0]?.run}`;
  const shown = await place.cuervo(['runs', 'show', run, '--json']);
  expect(shown.stdout).toContain(`${near} [redacted: github-token]`);
  const replayed = await place.cuervo(['runs', 'replay', run]);
  expect(replayed.stdout).toContain('its input held a secret, which is not kept');
});
