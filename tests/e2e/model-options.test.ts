import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startAnthropicServer } from '../fixtures/anthropic-server/server.ts';
import { type ChatReply, startOpenAiServer } from '../fixtures/openai-server/server.ts';
import { openPlace, type Place } from '../support/place.ts';
import { lineOf } from '../support/run-cuervo.ts';

function configure(place: Place, text: string): void {
  mkdirSync(place.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(place.home, 'config.toml'), text);
}

const asks = '[models]\ntemperature = 1.5\nthinking = "high"\n';

describe('temperature and thinking', () => {
  it('are sent to a server, and left out from then on where it refuses them', async () => {
    using place = openPlace();
    configure(place, asks);
    let refuses = false;
    await using server = await startOpenAiServer((body): ChatReply => {
      if (refuses && body.temperature !== undefined)
        return { type: 'error', status: 400, message: "Unsupported value: 'temperature'" };
      if (refuses && body.reasoning_effort !== undefined)
        return { type: 'error', status: 400, message: 'unknown field reasoning_effort' };
      return { type: 'message', text: `${body.temperature} ${body.reasoning_effort}` };
    });
    await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--remote']);
    const ask = (words: string) => place.cuervo(['ask', '-m', 'srv/test', words]);
    expect((await ask('one?')).stdout).toContain('1.5 high');
    refuses = true;
    const ran = await ask('two?');
    expect(ran.stdout).toContain('undefined undefined');
    expect(ran.stderr).toContain('refuses the field "temperature"');
    const before = server.requests.length;
    expect((await ask('three?')).stdout).toContain('undefined undefined');
    expect(server.requests).toHaveLength(before + 1);
  });

  it('are sent to Anthropic as it takes them', async () => {
    using place = openPlace();
    const apiKey = 'key-of-the-test-server';
    await using server = await startAnthropicServer(() => ({ type: 'message', text: 'yes' }), {
      apiKey,
    });
    const env = { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: server.url };
    const askWith = async (text: string) => {
      configure(place, text);
      const ran = await place.cuervo(['ask', '-m', 'claude-test', `colour? ${text}`], { env });
      expect(ran.stdout, ran.stderr).toContain('yes');
      return server.requests.at(-1);
    };
    const thinking = await askWith(asks);
    expect(thinking).toMatchObject({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'high' },
    });
    expect(thinking).not.toHaveProperty('temperature');
    const plain = await askWith('[models]\ntemperature = 1.5\nthinking = "off"\n');
    expect(plain).toMatchObject({ temperature: 1 });
    expect(plain).not.toHaveProperty('thinking');
    expect(await askWith('')).not.toHaveProperty('temperature');
  });

  it('are refused by name where they cannot be', async () => {
    using place = openPlace();
    for (const [line, why] of [
      ['temperature = 3', '"models.temperature"'],
      ['temperature = "hot"', '"models.temperature"'],
      ['thinking = true', '"models.thinking"'],
      ['temprature = 1', 'models.temperature'],
    ] as const) {
      configure(place, `[models]\n${line}\n`);
      const ran = await place.cuervo(['ask', '-m', 'none', 'one?']);
      expect(ran.code).toBe(2);
      expect(ran.stderr).toContain(why);
    }
    configure(place, '');
    expect((await place.cuervo(['config', 'set', 'models.temperature', '0.2'])).code).toBe(0);
    expect((await place.cuervo(['config', 'get', 'models.temperature'])).stdout).toContain('0.2');
    expect((await place.cuervo(['config', 'set', 'models.temperature', '9'])).code).toBe(2);
  });
});

describe('the model that answered', () => {
  it('is named by events, the journal and the answer where it is another one', async () => {
    using place = openPlace();
    let model = 'other-9b';
    await using server = await startOpenAiServer(() => ({ type: 'message', text: 'yes', model }));
    await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--remote']);
    const ran = await place.cuervo(['ask', '-m', 'srv/test', 'one?', '--json']);
    expect(lineOf(ran, 'usage').model).toBe('other-9b');
    expect(lineOf(ran, 'answer').by).toBe('other-9b');
    expect(ran.stderr).toContain('the server of srv/test says that other-9b answered');
    const explained = await place.cuervo(['explain', lineOf(ran, 'answer').run ?? '']);
    expect(explained.stdout).toContain('answered: other-9b');
    // A version of the model that was asked is no other one.
    model = 'test-2026-11-01';
    const same = await place.cuervo(['ask', '-m', 'srv/test', 'two?', '--json']);
    expect(lineOf(same, 'usage').model).toBe('srv/test');
    expect(lineOf(same, 'answer').by).toBeUndefined();
  });
});
