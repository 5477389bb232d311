import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ChatReply, startOpenAiServer } from '../fixtures/openai-server/server.ts';
import { openPlace, type Place } from '../support/place.ts';

async function withServer(place: Place, name: string, script: () => ChatReply) {
  const server = await startOpenAiServer(script);
  await place.cuervo(['model', 'add', server.url, '--name', name, '--local']);
  return server;
}

const say = (text: string): ChatReply => ({ type: 'message', text });
const broken: ChatReply = { type: 'error', status: 500, message: 'out of order' };

describe('models', () => {
  it('are shown as left alone, and asked again after a reset', async () => {
    using place = openPlace({ 'a.txt': 'alpha\n' });
    await using _ = await withServer(place, 'srv', () => broken);
    await place.cuervo(['model', 'use', 'srv/test']);
    expect((await place.cuervo(['model', 'status'])).stdout).toContain('srv/test: it is asked');
    for (let asked = 0; asked < 2; asked += 1) await place.cuervo(['ask', 'what is alpha']);
    const { rows } = await place.cuervo(['model', 'status', '--json']);
    expect(rows).toMatchObject([
      { name: 'model srv/test', status: 'warn', fix: 'cuervo model reset srv/test' },
    ]);
    expect(await place.cuervo(['model', 'reset', 'srv/test'])).toMatchObject({ code: 0 });
    expect((await place.cuervo(['model', 'status'])).stdout).toContain('srv/test: it is asked');
    const slip = await place.cuervo(['model', 'reset', 'srv/tset']);
    expect(slip).toMatchObject({ code: 4, stderr: expect.stringContaining('srv/test') });
  });

  it('are asked for one token each by doctor --models, and by nothing else of it', async () => {
    using place = openPlace({ 'a.txt': 'alpha\n' });
    await using good = await withServer(place, 'good', () => say('yes'));
    await using bad = await withServer(place, 'bad', () => broken);
    mkdirSync(place.home, { recursive: true });
    writeFileSync(join(place.home, 'config.toml'), 'model = "good/test"\n', { mode: 0o600 });
    await place.cuervo(['doctor']);
    expect(good.requests).toEqual([]);
    const { rows, stderr } = await place.cuervo(['doctor', '--models', '--json']);
    const found = rows.filter(({ name }) => String(name).startsWith('model '));
    expect(found).toMatchObject([
      {
        name: 'model good/test',
        status: 'ok',
        finding: expect.stringMatching(/answered after \d+ ms/),
      },
      { name: 'model bad/test', status: 'fail', finding: expect.stringContaining('out of order') },
    ]);
    expect(stderr).toContain('which may cost');
    expect(good.requests.map((body) => body.max_tokens ?? body.max_completion_tokens)).toEqual([1]);
    expect(bad.requests).toHaveLength(1);
  });
});
