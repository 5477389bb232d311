import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContentBlock, PromptResponse, SessionUpdate } from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { startOpenAiServer } from '../fixtures/openai-server/server.ts';
import { type AcpClient, openAcpClient } from '../support/acp-client.ts';
import { openPlace, type Place } from '../support/place.ts';

const files = {
  'a.txt': 'the heron nests in the quarry\n',
  'src/limits.ts': 'export const retryLimit = 3;\n',
};

function configure(place: Place, answers: string): void {
  mkdirSync(place.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(place.home, 'config.toml'), `[clients.tests]\nanswers = "${answers}"\n`);
}

const text = (words: string): ContentBlock[] => [{ type: 'text', text: words }];

async function newSession({ agent }: AcpClient, place: Place): Promise<string> {
  return (await agent.request('session/new', { cwd: place.work, mcpServers: [] })).sessionId;
}

async function send(
  { agent }: AcpClient,
  sessionId: string,
  prompt: ContentBlock[],
): Promise<PromptResponse> {
  return await agent.request('session/prompt', { sessionId, prompt });
}

const calls = (updates: readonly SessionUpdate[]) =>
  updates.flatMap((each) => (each.sessionUpdate === 'tool_call' ? [each] : []));

describe('cuervo acp', () => {
  it('answers a question with the lines that show it, as calls, a plan and links', async () => {
    using place = openPlace(files);
    await using acp = await openAcpClient(place, { args: ['-m', 'none'] });
    const sessionId = await newSession(acp, place);
    const prompt = text('where is retryLimit defined?');
    const { stopReason, _meta } = await send(acp, sessionId, prompt);
    expect(stopReason).toBe('end_turn');
    expect(acp.said()).toContain('src/limits.ts:1');
    expect(calls(acp.updates).map(({ title }) => title)).toContain('search.definition retryLimit');
    const links = acp.updates.flatMap((each) =>
      each.sessionUpdate === 'agent_message_chunk' && each.content.type === 'resource_link'
        ? [each.content.uri]
        : [],
    );
    expect(links).toContain(`file://${place.work}/src/limits.ts#L1`);
    expect(acp.updates.some((each) => each.sessionUpdate === 'plan')).toBe(true);
    const commands = acp.updates.find((each) => each.sessionUpdate === 'available_commands_update');
    expect(JSON.stringify(commands)).toContain('"name":"review"');
    expect(acp.faults).toEqual([]);
    const runs = await place.cuervo(['runs', 'list']);
    expect(runs.stdout).toContain('for tests');
    expect(runs.stdout).toContain(String(_meta?.run));
  });

  it('ends with its client, and a message of a session waits for no other one', async () => {
    using place = openPlace(files);
    const acp = await openAcpClient(place, { args: ['-m', 'none'] });
    const sessionId = await newSession(acp, place);
    const first = send(acp, sessionId, text('heron?'));
    const second = send(acp, sessionId, text('quarry?'));
    await expect(second).rejects.toMatchObject({ code: -32602, data: { code: 'conflict' } });
    await expect(first).resolves.toMatchObject({ stopReason: 'end_turn' });
    await acp[Symbol.asyncDispose]();
    expect(await acp.exited).toBe(0);
  });
});

describe('consent through an editor', () => {
  /** A person's order, which is a call that has to be allowed. */
  const order = text('rename a.txt to b.txt');

  it('is not asked for by default: the call is denied, and the message names the command', async () => {
    using place = openPlace(files);
    await using acp = await openAcpClient(place, { args: ['-m', 'none'], choose: () => 'once' });
    const sessionId = await newSession(acp, place);
    await expect(send(acp, sessionId, order)).rejects.toMatchObject({
      data: { code: 'permission-denied' },
      message: expect.stringContaining('cuervo plugin grant file fs-write:work'),
    });
    expect(acp.questions).toEqual([]);
    expect(existsSync(join(place.work, 'a.txt'))).toBe(true);
  });

  it('counts where config.toml names the editor: no refuses, once allows one effect', async () => {
    using place = openPlace(files);
    configure(place, 'once');
    const choose = (_: unknown, nth: number) => (nth === 1 ? 'no' : 'once');
    await using acp = await openAcpClient(place, { args: ['-m', 'none'], choose });
    const sessionId = await newSession(acp, place);
    await expect(send(acp, sessionId, order)).rejects.toMatchObject({
      data: { code: 'permission-denied' },
    });
    expect(existsSync(join(place.work, 'a.txt'))).toBe(true);
    expect((await send(acp, sessionId, order)).stopReason).toBe('end_turn');
    expect(existsSync(join(place.work, 'b.txt'))).toBe(true);
    expect(acp.questions.map(({ options }) => options.map(({ optionId }) => optionId))).toEqual([
      ['once', 'no'],
      ['once', 'no'],
    ]);
    const undone = await place.cuervo(['undo', '--yes']);
    expect(undone.code, undone.stderr).toBe(0);
    expect(existsSync(join(place.work, 'a.txt'))).toBe(true);
    expect(acp.faults).toEqual([]);
  });

  it('does not count for a file that other programs run, nor for another editor', async () => {
    using place = openPlace({ ...files, 'hook.toml': '[env]\n', 'package.json': '{}\n' });
    configure(place, 'session');
    const args = ['-m', 'none'];
    await using acp = await openAcpClient(place, { args, choose: () => 'once' });
    const sessionId = await newSession(acp, place);
    const runBy = text('rename hook.toml to mise.toml');
    await expect(send(acp, sessionId, runBy)).rejects.toMatchObject({
      data: { code: 'permission-denied' },
    });
    expect(acp.questions).toEqual([]);
    await using other = await openAcpClient(place, { args, name: 'other', choose: () => 'once' });
    await expect(send(other, await newSession(other, place), order)).rejects.toMatchObject({
      data: { code: 'permission-denied' },
    });
    expect(other.questions).toEqual([]);
  });

  it('is needed for the mode that edits unasked; plan changes nothing', async () => {
    using place = openPlace(files);
    configure(place, 'once');
    const args = ['-m', 'none'];
    const setMode = (acp: AcpClient, sessionId: string, modeId: string) =>
      acp.agent.request('session/set_mode', { sessionId, modeId });
    await using once = await openAcpClient(place, { args, choose: () => 'once' });
    const first = await newSession(once, place);
    await expect(setMode(once, first, 'edit')).rejects.toMatchObject({
      data: { code: 'permission-denied' },
    });
    await expect(setMode(once, first, 'paint')).rejects.toMatchObject({ code: -32602 });
    await setMode(once, first, 'plan');
    await send(once, first, order).catch(() => {});
    expect(once.questions).toEqual([]);
    expect(existsSync(join(place.work, 'a.txt'))).toBe(true);
    configure(place, 'session');
    await using always = await openAcpClient(place, { args });
    await setMode(always, await newSession(always, place), 'edit');
  });
});

describe('a model in an editor', () => {
  /** A model that writes a file and says so. */
  const writing = () =>
    startOpenAiServer(
      ({ messages, tools = [] }) => {
        if (messages.at(-1)?.role === 'tool') return { type: 'message', text: 'I am done.' };
        const input = { path: 'src/limits.ts', text: 'export const retryLimit = 5;\n' };
        const isOffered = tools.some((tool) => tool.function.name === 'file__write');
        const call = isOffered
          ? { name: 'file__write', input }
          : { name: 'call_tool', input: { name: 'file.write', input } };
        return { type: 'message', toolCalls: [call] };
      },
      { models: [{ id: 'test', max_model_len: 200_000 }] },
    );

  it.each([
    ['ask', 'none', 'once', 0, false],
    ['ask', 'once', 'once', 1, true],
    ['ask', 'once', 'session', 1, false],
    ['ask', 'once', 'made-up', 1, false],
    ['ask', 'once', '', 1, false],
    ['edit', 'session', '', 0, true],
    ['plan', 'session', 'once', 0, false],
  ] as const)(
    'in the mode %s with answers = "%s" and the answer "%s" asks %i times: changed %s',
    async (modeId, answers, answer, asked, isChanged) => {
      using place = openPlace(files);
      configure(place, answers);
      await using server = await writing();
      await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--remote']);
      const choose = () => answer;
      await using acp = await openAcpClient(place, { args: ['-m', 'srv/test'], choose });
      const sessionId = await newSession(acp, place);
      if (modeId !== 'ask') await acp.agent.request('session/set_mode', { sessionId, modeId });
      const words = text('set the retry limit in src/limits.ts to 5');
      expect((await send(acp, sessionId, words)).stopReason).toBe('end_turn');
      expect(acp.said()).toContain('I am done.');
      if (!isChanged && modeId === 'ask') expect(acp.said()).toContain('was denied');
      expect(acp.questions).toHaveLength(asked);
      const now = readFileSync(join(place.work, 'src/limits.ts'), 'utf8');
      expect(now).toBe(isChanged ? 'export const retryLimit = 5;\n' : files['src/limits.ts']);
      const diff = {
        type: 'diff',
        path: join(place.work, 'src/limits.ts'),
        oldText: files['src/limits.ts'],
        newText: 'export const retryLimit = 5;\n',
      };
      for (const { toolCall } of acp.questions) {
        expect(toolCall.content).toContainEqual(diff);
        expect(calls(acp.updates).map(({ toolCallId }) => toolCallId)).toContain(
          toolCall.toolCallId,
        );
      }
      const told = acp.updates.flatMap((each) =>
        each.sessionUpdate === 'tool_call_update' ? (each.content ?? []) : [],
      );
      if (isChanged) expect(told).toContainEqual(diff);
      else expect(told).not.toContainEqual(diff);
      if (answers === 'none')
        expect(JSON.stringify(told)).toContain('cuervo plugin grant file fs-write:work');
      expect(acp.faults).toEqual([]);
    },
  );
});

describe('a message from an editor', () => {
  const key = ['AKIA', 'IOSFODNN7', 'EXAMPLF'].join('');
  const link = (path: string): ContentBlock => ({
    type: 'resource_link',
    name: path,
    uri: `file://${path}`,
  });

  it('names files, which are read; one that is not saved as the editor has it', async () => {
    using place = openPlace(files);
    const path = join(place.work, 'src/limits.ts');
    const buffers = { [path]: 'export const retryLimit = 7; // zebra limit of retries\n' };
    await using acp = await openAcpClient(place, { args: ['-m', 'none'], buffers });
    const sessionId = await newSession(acp, place);
    await send(acp, sessionId, [...text('what is the zebra limit of retries in'), link(path)]);
    expect(acp.said()).toContain('retryLimit = 7');
  });

  it('is refused outside of its folder, for protected names, and for what is no text', async () => {
    using place = openPlace({ ...files, '.env': `KEY=${key}\n` });
    symlinkSync('/etc/passwd', join(place.work, 'out.txt'));
    const buffers = { [join(place.work, '.env')]: `KEY=${key}\n` };
    await using acp = await openAcpClient(place, { args: ['-m', 'none'], buffers });
    const sessionId = await newSession(acp, place);
    const env = join(place.work, '.env');
    const embedded: ContentBlock = {
      type: 'resource',
      resource: { uri: `file://${env}`, text: `KEY=${key}` },
    };
    const image: ContentBlock = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    for (const block of [
      link('/etc/passwd'),
      link(join(place.work, '../../etc/passwd')),
      link(join(place.work, 'out.txt')),
      link(env),
      link(join(place.work, 'nosuch.txt')),
      embedded,
      image,
    ]) {
      await expect(send(acp, sessionId, [...text('what is in'), block])).rejects.toMatchObject({
        code: -32602,
      });
    }
    expect(JSON.stringify(acp.updates)).not.toContain(key);
    // What may be read is read.
    await send(acp, sessionId, [...text('what is in'), link(join(place.work, 'a.txt'))]);
    expect(acp.said()).toContain('heron');
  });

  it('is shown no key, whatever holds it', async () => {
    using place = openPlace({ 'notes.txt': `the heron has the key ${key} and a beak\n` });
    await using acp = await openAcpClient(place, { args: ['-m', 'none'] });
    const sessionId = await newSession(acp, place);
    await send(acp, sessionId, text('show the last 5 lines of notes.txt'));
    expect(acp.said()).toContain('and a beak');
    expect(JSON.stringify(acp.updates)).not.toContain(key);
  });

  it('is a conversation that is listed, opened again and goes on', async () => {
    using place = openPlace(files);
    const args = ['-m', 'none'];
    let sessionId: string;
    {
      await using acp = await openAcpClient(place, { args });
      sessionId = await newSession(acp, place);
      await send(acp, sessionId, text('where is retryLimit defined?'));
    }
    await using acp = await openAcpClient(place, { args });
    const listed = await acp.agent.request('session/list', { cwd: place.work });
    expect(listed).toMatchObject({
      sessions: [{ sessionId, title: 'where is retryLimit defined?' }],
    });
    const place2 = openPlace();
    using _ = place2;
    const of = (cwd: string) => ({ cwd, sessionId, mcpServers: [] });
    await expect(acp.agent.request('session/load', of(place2.work))).rejects.toMatchObject({
      data: { code: 'not-found' },
    });
    await acp.agent.request('session/load', of(place.work));
    const said = acp.updates.map((each) => each.sessionUpdate);
    expect(said).toContain('user_message_chunk');
    expect((await send(acp, sessionId, text('who uses it?'))).stopReason).toBe('end_turn');
    expect(acp.faults).toEqual([]);
  });

  it('may name a recipe, or is told which ones there are', async () => {
    using place = openPlace(files);
    await using acp = await openAcpClient(place, { args: ['-m', 'none'] });
    const sessionId = await newSession(acp, place);
    await expect(send(acp, sessionId, text('/reveiw'))).rejects.toMatchObject({
      message: expect.stringContaining('/review'),
    });
    await send(acp, sessionId, text('/explain retryLimit'));
    expect(acp.said()).toContain('src/limits.ts');
  });
});
