import { describe, expect, it } from 'vitest';
import {
  type ChatScript,
  lastResult,
  type OpenAiServer,
  startOpenAiServer,
} from '../fixtures/openai-server/server.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { openPlace, type Place } from '../support/place.ts';

const question = 'where is the retry limit set?';

/** Searches once, then answers with how many messages it was sent. */
const script: ChatScript = (body) => {
  const { messages } = body;
  if (messages.at(-1)?.role !== 'tool' && lastResult(body) === undefined) {
    return {
      ...{ type: 'message', text: 'Let me look.' },
      toolCalls: [{ name: 'search__grep', input: { pattern: 'maxRetries = \\d+' } }],
    };
  }
  return { type: 'message', text: `Answer to ${messages.length} messages with \`\`\`ticks\`\`\`.` };
};

async function open(place: Place): Promise<OpenAiServer> {
  const server = await startOpenAiServer(script);
  await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--local']);
  await place.cuervo(['model', 'use', 'srv/test']);
  expect((await place.cuervo(['ask', question])).code).toBe(0);
  expect((await place.cuervo(['ask', '-c', 'and who reads it?'])).code).toBe(0);
  return server;
}

describe('cuervo session', () => {
  it('exports all that was said and done, as Markdown and as lines', async () => {
    using place = openPlace(fixtureRepository);
    await using _server = await open(place);
    const { stdout } = await place.cuervo(['session', 'export']);
    expect(stdout).toMatch(/^# where is the retry limit set\?\n\nSession \w+ of cuervo in `/);
    expect(stdout).toContain(`## 1. Question\n\n${question}\n\n### 2. Step\n\nLet me look.\n\n`);
    expect(stdout).toMatch(/Calls `search\.grep`:\n\n```json\n\{\n {2}"pattern": /);
    expect(stdout).toMatch(/### 3\. tool search\.grep brought\n\n```\n/);
    expect(stdout).toContain('## 4. Answer\n\nAnswer to 4 messages with ```ticks```.');
    expect(stdout).toContain('## 5. Question\n\nand who reads it?');
    const { rows } = await place.cuervo(['session', 'export', '--json']);
    expect(rows.map(({ number, role }) => `${number} ${role}`)).toEqual([
      ...['1 user', '2 assistant', '3 tool', '4 assistant', '5 user', '6 assistant'],
    ]);
    expect(rows[2]).toMatchObject({ call: expect.any(String), source: 'tool search.grep' });
  });

  it('exports questions without a model, with what there is of them', async () => {
    using place = openPlace(fixtureRepository);
    expect((await place.cuervo(['ask', question])).code).toBe(0);
    const { rows } = await place.cuervo(['session', 'export', '--json']);
    expect(rows).toMatchObject([{ number: 1, role: 'user', text: question }]);
    expect((await place.cuervo(['session', 'export', 'nothing-so'])).code).toBe(4);
  });

  it('forks behind any message, and goes on from there apart', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await open(place);
    const [from] = (await place.cuervo(['session', 'list', '--json'])).rows;
    const whole = ['user', 'assistant', 'tool', 'assistant', 'user'];
    const cases: [number, string[]][] = [
      [1, ['user', 'assistant', 'user']],
      [2, whole],
      [4, whole],
      [6, [...whole, 'assistant', 'user']],
    ];
    for (const [at, roles] of cases) {
      const fork = ['session', 'fork', `${from?.id}`, '--at', `${at}`, '--json'];
      const [made] = (await place.cuervo(fork)).rows;
      const kept = (await place.cuervo(['session', 'export', `${made?.id}`, '--json'])).rows;
      expect(kept).toHaveLength(at);
      const seen = server.requests.length;
      const go = await place.cuervo(['session', 'resume', `${made?.id}`, 'go on']);
      expect(go.code, go.stderr).toBe(0);
      const messages = server.requests[seen]?.messages.slice(1) ?? [];
      expect(messages.map(({ role }) => role)).toEqual(roles);
    }
    // The first one is as it was.
    const other = (await place.cuervo(['session', 'export', `${from?.id}`, '--json'])).rows;
    expect(other).toHaveLength(6);
  });

  it('says how many messages there are where there is none to fork at', async () => {
    using place = openPlace(fixtureRepository);
    await using _server = await open(place);
    const [from] = (await place.cuervo(['session', 'list', '--json'])).rows;
    const ran = await place.cuervo(['session', 'fork', `${from?.id}`, '--at', '7']);
    expect(ran.code).toBe(4);
    expect(ran.stderr).toContain('has no message 7, but 6');
    const both = ['session', 'fork', `${from?.id}`, '--at', '1', '--through', 'x'];
    expect((await place.cuervo(both)).code).toBe(2);
  });
});
