import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { startAnthropicServer } from '../fixtures/anthropic-server/server.ts';
import { startDeafServer } from '../fixtures/deaf-server.ts';
import {
  type ChatScript,
  lastResult,
  type OpenAiServer,
  startOpenAiServer,
} from '../fixtures/openai-server/server.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { openPlace, type Place } from '../support/place.ts';
import { lineOf, linesOf } from '../support/run-cuervo.ts';

const question = 'where is the retry limit set?';
const apiKey = 'test-key-of-the-local-server';

async function open(place: Place, script: ChatScript, key?: string): Promise<OpenAiServer> {
  const server = await startOpenAiServer(script, key === undefined ? {} : { apiKey: key });
  const env = key === undefined ? {} : { SRV_API_KEY: key };
  const where = key === undefined ? '--local' : '--remote';
  const added = await place.cuervo(['model', 'add', server.url, '--name', 'srv', where], { env });
  expect(added.code, added.stderr).toBe(0);
  return server;
}

const call = (name: string, input: object) => ({
  ...{ type: 'message' as const },
  toolCalls: [{ name, input: { ...input } }],
});
const args = ['ask', '-m', 'srv/test', question, '--json'];

describe('a provider that pauses its turn', () => {
  const asked = ['ask', '-m', 'claude-test', question, '--json'];

  it('is sent its own words back, and goes on with them', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await startAnthropicServer(
      (_body, { number }) =>
        number <= 2
          ? { type: 'message', text: `Part ${number}, `, stopReason: 'pause_turn' }
          : { type: 'message', text: 'and the end.' },
      { apiKey },
    );
    const env = { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: server.url };
    const ran = await place.cuervo(asked, { env });
    expect(lineOf(ran, 'answer'), ran.stderr).toMatchObject({
      ...{ mode: 'model', stop: 'answered', text: 'Part 1, Part 2, and the end.' },
    });
    expect(server.requests.map(({ messages }) => messages.at(-1)?.role)).toEqual([
      ...['user', 'assistant', 'assistant'],
    ]);
    expect(JSON.stringify(server.requests[2]?.messages.slice(-2))).toMatch(/Part 1, .*Part 2, /);
  });

  it('is not asked for ever', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await startAnthropicServer(
      () => ({ type: 'message', text: 'wait ', stopReason: 'pause_turn' }),
      { apiKey },
    );
    const env = { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: server.url };
    const ran = await place.cuervo(asked, { env });
    expect(server.requests).toHaveLength(6);
    expect(lineOf(ran, 'answer').text).toMatch(/^(?:wait ?){6}/);
  });
});

describe('a model that calls badly', () => {
  it('is told what was wrong with its input, and calls again', async () => {
    using place = openPlace(fixtureRepository);
    const script: ChatScript = (body, { number }) => {
      if (number === 1) return call('search__grep', { pattern: 5, limit: 'many' });
      const told = lastResult(body) ?? '';
      if (number === 2 && /pattern/.test(told)) return call('search__grep', { pattern: 'retry' });
      return { type: 'message', text: number === 3 ? 'It is 7.' : `Nobody told me: ${told}` };
    };
    await using _server = await open(place, script);
    const ran = await place.cuervo(args);
    expect(lineOf(ran, 'answer').text).toBe('It is 7.');
    expect(linesOf(ran, 'step-finished').map(({ status }) => status)).toEqual(['error', 'ok']);
  });

  it('gets the beginning and the end of a program that prints a gigabyte', async () => {
    using place = openPlace(fixtureRepository);
    const script: ChatScript = (body) => {
      const result = lastResult(body);
      return result === undefined
        ? call('shell__run', { command: 'seq 1 130000000' })
        : { type: 'message', text: `It was ${result.length} long: ${result.slice(0, 200)}` };
    };
    await using server = await open(place, script);
    const ran = await place.cuervo([...args, '--allow', 'exec:seq', '--timeout', '100']);
    const { text, mode } = lineOf(ran, 'answer');
    expect(mode, ran.stderr).toBe('model');
    expect(Number(/It was (\d+) long/.exec(text)?.[1])).toBeLessThan(64 * 1024);
    expect(JSON.stringify(server.requests[1]).length).toBeLessThan(256 * 1024);
    expect(linesOf(ran, 'step-finished')[0]?.bytes).toBeLessThan(8 * 1024 * 1024);
  });

  it('does not wait for a call longer than the question may take', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await open(place, () => call('shell__run', { command: 'sleep 60' }));
    const more = ['--max-time', '6s', '--allow', 'exec:sleep', '--timeout', '90'];
    const ran = await place.cuervo([...args, ...more]);
    expect(ran.code, ran.stderr).toBe(5);
    expect(linesOf(ran, 'step-finished')[0]).toMatchObject({ step: 's1', status: 'timeout' });
    expect(lineOf(ran, 'answer')).toMatchObject({ mode: 'extractive', stop: 'duration-ms' });
    expect(ran.durationMs).toBeLessThan(55_000);
    expect(server.requests).toHaveLength(1);
  });

  it('says which key a server wants when there is none', async () => {
    using place = openPlace(fixtureRepository);
    await using _server = await open(place, () => ({ type: 'message', text: 'x' }), 'the-good-one');
    const ran = await place.cuervo(args);
    expect(ran.code).toBe(7);
    expect(lineOf(ran, 'error')).toMatchObject({
      message: expect.stringContaining('wants a key, and SRV_API_KEY is not set'),
      hint: expect.stringContaining('cuervo secret set SRV_API_KEY --for http://127.0.0.1:'),
    });
  });

  it('is answered for by passages where not even the shortest prompt fits', async () => {
    using place = openPlace(fixtureRepository);
    const script: ChatScript = () => ({
      type: 'message',
      toolCalls: Array.from({ length: 40 }, () => ({
        ...{ name: 'file__read', input: { path: 'src/retry/retry-policy.ts' } },
      })),
    });
    await using server = await startOpenAiServer(script, { models: [{ id: 'test' }] });
    await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--local']);
    const ran = await place.cuervo(args);
    expect(ran.code).toBe(7);
    expect(lineOf(ran, 'error').message).toContain('the shortest prompt has');
    expect(lineOf(ran, 'answer')).toMatchObject({ mode: 'extractive', stop: 'model' });
    expect(lineOf(ran, 'answer').evidence[0]?.path).toBe('src/retry/retry-policy.ts');
  });

  it('cannot be asked with a key that is no longer good: exit code 7, and the passages', async () => {
    using place = openPlace(fixtureRepository);
    await using _server = await open(place, () => ({ type: 'message', text: 'x' }), 'the-good-one');
    const ran = await place.cuervo(args, { env: { SRV_API_KEY: 'expired-one' } });
    expect(ran.code).toBe(7);
    expect(lineOf(ran, 'error')).toMatchObject({
      message: expect.stringContaining('was refused by'),
      hint: expect.stringContaining('SRV_API_KEY'),
    });
    expect(ran.stdout + ran.stderr).not.toContain('expired-one');
    expect(lineOf(ran, 'answer').evidence[0]?.path).toBe('src/retry/retry-policy.ts');
  });
});

describe('a server that takes no connection', () => {
  it('is given up soon, after one more try, and costs the words and not the passages', async () => {
    using place = openPlace(fixtureRepository);
    await using deaf = await startDeafServer();
    mkdirSync(place.home, { recursive: true, mode: 0o700 });
    writeFileSync(join(place.home, 'config.toml'), '[models]\nconnect-timeout-ms = 400\n');
    const env = { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: deaf.url };
    const ran = await place.cuervo(['ask', '-m', 'claude-test', question, '--json'], { env });
    expect(ran.code).toBe(7);
    expect(lineOf(ran, 'error')).toMatchObject({
      message: `${new URL(deaf.url).origin} accepted no connection within 0.4 s`,
      hint: expect.stringContaining('models.connect-timeout-ms'),
    });
    expect(ran.stderr.match(/accepted no connection within 0\.4 s; asking again in/g)).toHaveLength(
      1,
    );
    expect(lineOf(ran, 'answer').evidence[0]?.path).toBe('src/retry/retry-policy.ts');
  });
});

describe('a database that somebody else has locked', () => {
  it('costs the record of the answer, and not the answer', async () => {
    using place = openPlace(fixtureRepository);
    let lock: Database.Database | undefined;
    const script: ChatScript = (body) => {
      if (lastResult(body) === undefined) return call('search__grep', { pattern: 'retry' });
      lock = new Database(join(place.home, 'cuervo.db'));
      lock.exec('BEGIN IMMEDIATE');
      return { type: 'message', text: 'It is 7.' };
    };
    await using _server = await open(place, script);
    // What this process locks holds against others alone.
    const ran = await place.cuervo(args, { ownProcess: true });
    lock?.close();
    expect(lock).toBeDefined();
    expect(lineOf(ran, 'answer')).toMatchObject({ mode: 'model', text: 'It is 7.' });
    expect(ran.stderr).toMatch(/cannot be continued later|was not remembered/);
  });
});

describe('Ctrl+C', () => {
  const slow: ChatScript = (body) =>
    lastResult(body) === undefined
      ? call('shell__run', { command: 'sleep 60' })
      : { type: 'hang', text: 'half an answer that ' };
  const busy: ChatScript = () => ({
    ...{ type: 'error', status: 503, message: 'busy', headers: { 'retry-after': '30' } },
  });
  const silent: ChatScript = () => ({ type: 'hang', text: '' });
  const talking: ChatScript = () => ({ type: 'hang', text: 'half an answer that goes on and on ' });

  it.each<[string, ChatScript, RegExp]>([
    ['before a model is asked', silent, /"type":"run-started"/],
    ['before the first word', silent, /"type":"run-started"/],
    ['in the midst of words', talking, /"type":"text"/],
    ['in the midst of a call', slow, /"type":"step-started"/],
    ['while it waits to ask again', busy, /asking again in/],
  ])('%s ends the run with 130, and -c goes on', async (when, script, sign) => {
    using place = openPlace(fixtureRepository);
    let isOver = false;
    await using server = await open(place, (body, request) =>
      isOver ? { type: 'message', text: 'I go on.' } : script(body, request),
    );
    let isSent = false;
    const interrupt = (text: string, kill: () => void): void => {
      if (isSent || !sign.test(text)) return;
      // The first word is waited for once the request is there.
      if (when === 'before the first word' && server.requests.length === 0) {
        setTimeout(() => interrupt(text, kill), 20);
        return;
      }
      isSent = true;
      kill();
    };
    const ran = await place.cuervo([...args, '--allow', 'exec:sleep', '--timeout', '90'], {
      onLine: (line, child) => interrupt(line, () => void child.kill('SIGINT')),
      onStderr: (text, pid) => interrupt(text, () => void process.kill(pid, 'SIGINT')),
    });
    expect(isSent).toBe(true);
    expect(ran.code, ran.stderr).toBe(130);
    expect(ran.error?.code).toBe('canceled');
    expect(ran.durationMs).toBeLessThan(25_000);
    isOver = true;
    const more = await place.cuervo(['ask', '-c', '-m', 'srv/test', 'go on', '--json']);
    expect(lineOf(more, 'answer').text).toBe('I go on.');
  });
});
