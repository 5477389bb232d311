import { readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { startAnthropicServer } from '../fixtures/anthropic-server/server.ts';
import { type ChatBody, startOpenAiServer } from '../fixtures/openai-server/server.ts';
import { openTerminal, tmuxMissing } from '../fixtures/terminal/in-tmux.ts';
import { type AcpClient, openAcpClient } from '../support/acp-client.ts';
import { openPlace, type Place } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';

/** One red pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);
const gif = Buffer.from('R0lGODlhAQABAIAAAP8AAAAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');
const address = `data:image/png;base64,${png.toString('base64')}`;
const files = { 'red.png': png, 'sub/red.gif': gif, 'a.txt': 'the heron\n' };

const imagesIn = ({ messages }: ChatBody): string[] =>
  messages.flatMap(({ images = [] }) => images);

/** A server whose model says how many images it was sent. */
const seeing = () =>
  startOpenAiServer((body) => ({ type: 'message', text: `I see ${imagesIn(body).length}.` }));

async function addServer(place: Place, url: string, ...flags: string[]): Promise<void> {
  const ran = await place.cuervo(['model', 'add', url, '--name', 'srv', '--remote', ...flags]);
  expect(ran.code, ran.stderr).toBe(0);
}

const image = (more: object = {}): ContentBlock =>
  ({ type: 'image', data: png.toString('base64'), mimeType: 'image/png', ...more }) as ContentBlock;
const link = (path: string): ContentBlock => ({
  type: 'resource_link',
  name: path,
  uri: `file://${path}`,
});

async function openSession(acp: AcpClient, place: Place) {
  const { sessionId } = await acp.agent.request('session/new', {
    cwd: place.work,
    mcpServers: [],
  });
  return (...blocks: ContentBlock[]) =>
    acp.agent.request('session/prompt', {
      sessionId,
      prompt: [{ type: 'text', text: 'which colour has this?' }, ...blocks],
    });
}

describe('an image from an editor', () => {
  it('is sent to a model that sees, in later rounds and with -c, and is in the journal', async () => {
    using place = openPlace(files);
    await using server = await seeing();
    await addServer(place, server.url, '--vision');
    await using acp = await openAcpClient(place, { args: ['-m', 'srv/test'] });
    const send = await openSession(acp, place);
    const { _meta } = await send(image(), link(join(place.work, 'sub/red.gif')));
    expect(acp.said()).toContain('I see 2.');
    const sent = [address, `data:image/gif;base64,${gif.toString('base64')}`];
    expect(server.requests.map(imagesIn)).toEqual([sent]);
    await send();
    expect(server.requests.map(imagesIn)).toEqual([sent, sent]);
    const ran = await place.cuervo(['ask', '-m', 'srv/test', '-c', 'and its size?']);
    expect(ran.stdout).toContain('I see 2.');
    expect(server.requests.map(imagesIn)).toEqual([sent, sent, sent]);
    const kept = await place.cuervo(['runs', 'export', String(_meta?.run), '--json']);
    const reading = kept.stdout.split('\n').find((line) => line.includes('"kind":"reading"'));
    expect(JSON.parse(reading ?? '{}').body.images).toEqual([
      expect.objectContaining({ source: 'image 1', type: 'image/png', bytes: png.length }),
      expect.objectContaining({ source: 'sub/red.gif', type: 'image/gif', bytes: gif.length }),
    ]);
    expect(kept.stdout).not.toContain(png.toString('base64'));
    // A model that does not see goes on without them, and says so.
    await addServer(place, server.url);
    const blind = await place.cuervo(['ask', '-m', 'srv/test', '-c', 'and now?']);
    expect(imagesIn(server.requests.at(-1) as ChatBody)).toEqual([]);
    expect(blind.stderr).toContain('without its images (2)');
    // What is forgotten of the talk takes them along.
    await addServer(place, server.url, '--vision');
    await place.cuervo(['memory', 'forget', '--run', String(_meta?.run), '--yes']);
    const after = await place.cuervo(['ask', '-m', 'srv/test', '-c', 'and after that?']);
    expect(after.stdout).toContain('I see 0.');
  });

  it('counts as read, so that a granted request that leaves the machine is asked about', async () => {
    using place = openPlace(files);
    await using page = await startOpenAiServer(() => ({ type: 'message', text: '' }));
    const { origin } = new URL(page.url);
    const url = `${origin}/v1/models`;
    await using server = await startOpenAiServer((body) =>
      body.messages.at(-1)?.role === 'tool'
        ? { type: 'message', text: String(body.messages.at(-1)?.content) }
        : { type: 'message', toolCalls: [{ name: 'web__fetch', input: { url } }] },
    );
    await addServer(place, server.url, '--vision');
    await place.cuervo(['plugin', 'grant', 'web', `http:${origin}`]);
    const fetched = async (...blocks: ContentBlock[]) => {
      await using acp = await openAcpClient(place, { args: ['-m', 'srv/test'] });
      const send = await openSession(acp, place);
      await send(...blocks);
      return acp.said();
    };
    expect(await fetched()).toContain('"type":"application/json"');
    expect(await fetched(image())).toContain(
      'a model that read an attached image asks for this, and data would leave the machine',
    );
  });

  it('is sent over the Messages API', async () => {
    using place = openPlace(files);
    const apiKey = 'key-of-the-test-server';
    await using server = await startAnthropicServer(() => ({ type: 'message', text: 'Red.' }), {
      apiKey,
    });
    const env = { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: server.url };
    await using acp = await openAcpClient(place, { args: ['-m', 'claude-test'], env });
    const send = await openSession(acp, place);
    await send(image());
    expect(acp.said()).toContain('Red.');
    const source = { type: 'base64', media_type: 'image/png', data: png.toString('base64') };
    expect(server.requests[0]?.messages[0]?.content).toContainEqual({ type: 'image', source });
  });

  it('goes to no replacement that does not see', async () => {
    using place = openPlace(files);
    await using down = await startOpenAiServer(() => ({
      ...{ type: 'error', status: 401, message: 'no' },
    }));
    await using blind = await seeing();
    await addServer(place, down.url, '--vision');
    await place.cuervo(['model', 'add', blind.url, '--name', 'other', '--local']);
    writeFileSync(
      join(place.home, 'config.toml'),
      'model = "srv/test"\n[models]\nfallback = ["other/test"]\n',
    );
    await using acp = await openAcpClient(place);
    const send = await openSession(acp, place);
    await send(image()).catch(() => {});
    expect(blind.requests).toEqual([]);
    const sendOther = await openSession(acp, place);
    await sendOther();
    expect(blind.requests.map(imagesIn)).toEqual([[]]);
  });

  it.each([
    ['no model', ['none'], 'no model is in use'],
    ['a model that is not known to see', ['srv/test'], 'srv/test is not known to read images'],
  ] as const)('with %s is refused in one line, and nothing is sent', async (_, [model], why) => {
    using place = openPlace(files);
    await using server = await seeing();
    await addServer(place, server.url);
    await using acp = await openAcpClient(place, { args: ['-m', model] });
    const send = await openSession(acp, place);
    await expect(send(image())).rejects.toMatchObject({ message: expect.stringContaining(why) });
    expect(server.requests).toEqual([]);
  });

  it('is refused where it is none, too large, protected or elsewhere', async () => {
    using place = openPlace({ ...files, '.env': png, 'large.png': png, 'false.png': gif });
    truncateSync(join(place.work, 'large.png'), 100 * 1024 * 1024);
    symlinkSync('.env', join(place.work, 'link.png'));
    writeFileSync(join(place.dir, 'out.png'), png);
    await using server = await seeing();
    await addServer(place, server.url, '--vision');
    await using acp = await openAcpClient(place, { args: ['-m', 'srv/test'] });
    const send = await openSession(acp, place);
    const inWork = (path: string) => link(join(place.work, path));
    const uri = `file://${join(place.work, '.env')}`;
    const cases: [ContentBlock[], string][] = [
      [[image({ mimeType: 'image/jpeg' })], 'by its first bytes it is image/png'],
      [[image({ mimeType: 'image/svg+xml' })], 'image 1 is called image/svg+xml'],
      [[image({ data: 'AAAA' })], 'it is no PNG, JPEG, GIF or WebP'],
      [[image({ data: 'A'.repeat(5_100_000) })], 'has 3825000 bytes, limit 3750000'],
      [[inWork('false.png')], 'false.png is called image/png, and by its first bytes'],
      [[inWork('large.png')], 'has 104857600 bytes, limit 3750000'],
      [[inWork('link.png')], 'protected'],
      [[image({ uri })], '.env is protected'],
      [[link(join(place.dir, 'out.png'))], 'is outside of the folder'],
      [[inWork('none.png')], 'does not exist'],
      [Array.from({ length: 9 }, () => image()), 'has 9 images, limit 8'],
    ];
    for (const [blocks, why] of cases) {
      await expect(send(...blocks)).rejects.toMatchObject({
        message: expect.stringContaining(why),
      });
    }
    expect(server.requests).toEqual([]);
    await send(...Array.from({ length: 8 }, () => image()));
    expect(acp.said()).toContain('I see 8.');
  });
});

describe('a model that sees', () => {
  it('is one that its server, models.toml or the person says to', async () => {
    using place = openPlace();
    await using server = await startOpenAiServer(() => ({ type: 'message', text: 'yes' }), {
      models: [{ id: 'llava' }, { id: 'text' }, { id: 'own' }],
      also: {
        '/api/ps': { models: [] },
        '/api/show': { capabilities: ['completion', 'vision'] },
      },
    });
    await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--local']);
    writeFileSync(
      join(place.home, 'models.toml'),
      '[models."srv/own"]\nvision = true\n[models."srv/text"]\nvision = false\n',
    );
    const sees = async (model: string) =>
      JSON.parse((await place.cuervo(['model', 'show', model, '--json'])).stdout);
    expect(await sees('srv/own')).toMatchObject({ sees: true });
    expect(await sees('srv/text')).toMatchObject({ sees: false });
    expect(await sees('claude-sonnet-4-5')).toMatchObject({ sees: true });
    for (const [model, isSent] of [
      ['srv/llava', true],
      ['srv/text', false],
    ] as const) {
      await using acp = await openAcpClient(place, { args: ['-m', model] });
      const send = await openSession(acp, place);
      const before = server.requests.length;
      await send(image()).catch(() => {});
      expect(server.requests.length > before).toBe(isSent);
    }
  });
});

it.skipIf(tmuxMissing())('a chat sends @red.png to its model', async () => {
  using place = openPlace(files);
  await using server = await seeing();
  await addServer(place, server.url, '--vision');
  using terminal = openTerminal({
    cwd: place.work,
    env: {
      ...{ PATH: '/usr/local/bin:/usr/bin:/bin', HOME: place.dir, CUERVO_HOME: place.home },
      NO_COLOR: '1',
    },
  });
  terminal.type(`'${process.execPath}' '${program}' chat -m srv/test; echo ended $?`);
  await terminal.waitFor('Shift+Tab');
  terminal.type('which colour has @red.png');
  await terminal.waitFor('I see 1.');
  expect(imagesIn(server.requests[0] as ChatBody)).toEqual([address]);
  expect(readFileSync(join(place.work, 'red.png'))).toEqual(png);
  terminal.type('/model none');
  await terminal.waitFor('none answers from now on');
  terminal.type('what is in @red.png');
  await terminal.waitFor('no model is in use, and an image needs one');
  expect(server.requests).toHaveLength(1);
});
