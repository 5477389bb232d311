import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PromptResponse } from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { type ChatBody, startOpenAiServer } from '../fixtures/openai-server/server.ts';
import { openTerminal, tmuxMissing } from '../fixtures/terminal/in-tmux.ts';
import { openAcpClient } from '../support/acp-client.ts';
import { done, git, nextStep, openProject, question, steps } from '../support/coding-task.ts';
import type { Place } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';

const missing = [
  tmuxMissing(),
  existsSync('/usr/bin/bwrap') ? undefined : 'bubblewrap is not installed',
  existsSync('/usr/bin/python3') ? undefined : 'python3 is not installed',
].find((reason) => reason !== undefined);

const prompt = '/n/?] ';

/** How often the person was asked. */
type Way = (place: Place) => Promise<number>;

/** Whoever sits there says yes to all of the task, where that is offered. */
async function atTerminal(place: Place, words: string, typed?: string): Promise<number> {
  using terminal = openTerminal({
    cwd: place.work,
    env: {
      ...{ PATH: '/usr/local/bin:/usr/bin:/bin', HOME: place.dir, CUERVO_HOME: place.home },
      NO_COLOR: '1',
    },
  });
  const asked = () => terminal.screen().split(prompt).length - 1;
  terminal.type(`'${process.execPath}' '${program}' ${words}; echo ended $?`);
  if (typed !== undefined) {
    await terminal.waitFor('Shift+Tab');
    terminal.type(typed);
  }
  for (let answered = 0; ; answered += 1) {
    await terminal.waitFor(/\/n\/\?\] |^Fixed: /m, answered + 1);
    if (asked() === answered) break;
    terminal.type(terminal.screen().split('cuervo asks:').at(-1)?.includes('[y/t') ? 't' : 'y');
  }
  await terminal.waitFor(done);
  if (typed !== undefined) {
    terminal.type('/quit');
    await terminal.waitFor('ended 0');
  }
  return asked();
}

const overAcp: Way = async (place) => {
  mkdirSync(place.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(place.home, 'config.toml'), '[clients.tests]\nanswers = "session"\n');
  await using acp = await openAcpClient(place, {
    args: ['-m', 'srv/test'],
    env: { HOME: place.dir },
    choose: ({ options }) =>
      options.some(({ optionId }) => optionId === 'task') ? 'task' : 'session',
  });
  const { agent } = acp;
  const { sessionId } = await agent.request('session/new', { cwd: place.work, mcpServers: [] });
  const { stopReason } = (await agent.request('session/prompt', {
    sessionId,
    prompt: [{ type: 'text', text: question }],
  })) as PromptResponse;
  expect(acp.said()).toContain(done);
  expect(stopReason).toBe('end_turn');
  const diffs = acp.updates
    .flatMap((each) => (each.sessionUpdate === 'tool_call_update' ? (each.content ?? []) : []))
    .filter(({ type }) => type === 'diff');
  expect(diffs).toMatchObject([{ path: join(place.work, 'shop/cart.py') }]);
  expect(acp.faults).toEqual([]);
  return acp.questions.length;
};

const ways: readonly (readonly [string, Way])[] = [
  ['in ask', (place) => atTerminal(place, `ask -m srv/test '${question}'`)],
  ['in chat', (place) => atTerminal(place, 'chat -m srv/test', question)],
  ['over ACP', overAcp],
];

const resultsOf = ({ messages }: ChatBody): string[] =>
  messages.flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []));

describe.skipIf(missing)(`a coding task${missing === undefined ? '' : `: ${missing}`}`, () => {
  it.each(ways)('%s makes the same calls, with at most two questions', async (_, way) => {
    using place = openProject();
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
    expect(await way(place)).toBeLessThanOrEqual(2);
    const listed = await place.cuervo(['runs', 'list', '--json']);
    const run = String(listed.rows.find((each) => String(each.question).startsWith(question))?.run);
    const exported = await place.cuervo(['runs', 'export', run, '--json']);
    const kept = exported.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const called = kept.flatMap(({ kind, body }) => (kind === 'step' ? [body.tool] : []));
    expect(called.slice(0, steps.length)).toEqual(steps.map(([name]) => name));
    // Changed passages that the answer names are read again behind it.
    expect(new Set(called.slice(steps.length))).toEqual(new Set(['file.read']));
    expect(git(place, 'log', '--format=%an %s')).toBe('Ann Take the discount off\nAnn First\n');
    expect(git(place, 'show', 'HEAD:shop/cart.py')).toContain('100 - discount');
  });
});
