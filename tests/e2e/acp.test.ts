import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContentBlock, PromptResponse, SessionUpdate } from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { type ChatBody, startOpenAiServer } from '../fixtures/openai-server/server.ts';
import { type AcpClient, openAcpClient } from '../support/acp-client.ts';
import { done, git, nextStep, openProject, question, steps } from '../support/coding-task.ts';
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

const missing =
  existsSync('/usr/bin/bwrap') && existsSync('/usr/bin/python3')
    ? ''
    : ' (needs bubblewrap and python3)';

describe.skipIf(missing !== '')(`a coding task over ACP${missing}`, () => {
  it('makes the calls of ask, with at most two questions', async () => {
    using place = openProject();
    configure(place, 'session');
    const resultsOf = ({ messages }: ChatBody): string[] =>
      messages.flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []));
    await using server = await startOpenAiServer(
      (body) => {
        const offered = (body.tools ?? []).map((tool) => tool.function.name);
        const said = nextStep(resultsOf(body), offered);
        return 'text' in said
          ? { type: 'message', text: said.text }
          : { type: 'message', toolCalls: [said] };
      },
      { models: [{ id: 'test', max_model_len: 200_000 }] },
    );
    await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--remote']);
    await using acp = await openAcpClient(place, {
      args: ['-m', 'srv/test'],
      env: { HOME: place.dir },
      choose: ({ options }) =>
        options.some(({ optionId }) => optionId === 'task') ? 'task' : 'session',
    });
    const sessionId = await newSession(acp, place);
    const answer = await send(acp, sessionId, text(question));
    expect(acp.said()).toContain(done);
    expect(answer.stopReason).toBe('end_turn');
    expect(calls(acp.updates).map(({ title }) => title.split(' ')[0])).toEqual(
      steps.map(([name]) => name),
    );
    expect(acp.questions.length).toBeLessThanOrEqual(2);
    expect(git(place, 'log', '--format=%an %s')).toBe('Ann Take the discount off\nAnn First\n');
    const diffs = acp.updates
      .flatMap((each) => (each.sessionUpdate === 'tool_call_update' ? (each.content ?? []) : []))
      .filter(({ type }) => type === 'diff');
    expect(diffs).toHaveLength(1);
    expect(diffs[0]).toMatchObject({ path: join(place.work, 'shop/cart.py') });
    expect(acp.faults).toEqual([]);
    expect(readFileSync(join(place.work, 'shop/cart.py'), 'utf8')).toContain('100 - discount');
  });
});
