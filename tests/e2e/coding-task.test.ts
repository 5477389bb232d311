import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type MessagesBody, startAnthropicServer } from '../fixtures/anthropic-server/server.ts';
import { type ChatBody, startOpenAiServer } from '../fixtures/openai-server/server.ts';
import {
  done,
  git,
  grants,
  nextStep,
  openProject,
  question,
  steps,
} from '../support/coding-task.ts';
import type { Place } from '../support/place.ts';
import { lineOf, linesOf, type Ran } from '../support/run-cuervo.ts';
import { treeState } from '../support/tree-state.ts';

/** Asks, looks at what was done, and takes it back. */
async function expectTask(
  place: Place,
  ask: (args: readonly string[]) => Promise<Ran>,
  /** prompts as text, in order */
  prompts: () => readonly string[],
): Promise<void> {
  const before = treeState(place.work);
  const ran = await ask(['ask', question, '--json', ...grants]);
  const answer = lineOf(ran, 'answer');
  expect(answer.text, ran.stderr).toBe(done);
  expect(prompts()).toHaveLength(steps.length + 1);
  expect(git(place, 'log', '--format=%an %s')).toBe('Ann Take the discount off\nAnn First\n');
  expect(answer.evidence.map(({ text }) => text).join('\n')).not.toContain('100 + discount');

  // It costs a part of what sending everything uncached would.
  const used = linesOf(ran, 'usage');
  const whole = used.reduce(
    (sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens,
    0,
  );
  const weighed = used.at(-1)?.spent.tokens ?? whole;
  expect(weighed / whole).toBeLessThanOrEqual(0.35);
  expect((ran.stderr.match(/was made shorter/g) ?? []).length).toBeLessThanOrEqual(1);

  const undone = await place.cuervo(['undo', '--yes']);
  expect(undone.code, undone.stderr).toBe(0);
  expect(treeState(place.work)).toEqual(before);
}

const missing =
  existsSync('/usr/bin/bwrap') && existsSync('/usr/bin/python3')
    ? ''
    : ' (needs bubblewrap and python3)';

describe.skipIf(missing !== '')(`a coding task of ${steps.length} rounds${missing}`, () => {
  it('is done over chat completions, and undone', async () => {
    using place = openProject();
    const resultsOf = ({ messages }: ChatBody): string[] =>
      messages.flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []));
    await using server = await startOpenAiServer(
      (body) => {
        const said = nextStep(
          resultsOf(body),
          (body.tools ?? []).map((tool) => tool.function.name),
        );
        return 'text' in said
          ? { type: 'message', text: said.text }
          : { type: 'message', toolCalls: [said] };
      },
      { models: [{ id: 'test', max_model_len: 200_000 }] },
    );
    await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--remote']);
    await expectTask(
      place,
      ([command = '', ...args]) =>
        place.cuervo([command, '-m', 'srv/test', ...args], { env: { HOME: place.dir } }),
      () => server.requests.map((body) => JSON.stringify(body)),
    );
  });

  it('is done over the Messages API, with thoughts, and undone', async () => {
    using place = openProject();
    const apiKey = 'key-of-the-test-server';
    const resultsOf = ({ messages }: MessagesBody): string[] =>
      messages
        .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
        .flatMap((block) => (block.type === 'tool_result' ? [block.content ?? ''] : []));
    await using server = await startAnthropicServer(
      (body) => {
        const said = nextStep(
          resultsOf(body),
          (body.tools ?? []).map(({ name }) => name),
        );
        const thinking = `I think about step ${resultsOf(body).length + 1}.`;
        return 'text' in said
          ? { type: 'message', text: said.text }
          : { type: 'message', thinking, toolUses: [said] };
      },
      { apiKey },
    );
    await expectTask(
      place,
      ([command = '', ...args]) =>
        place.cuervo([command, '-m', 'claude-test', ...args], {
          env: { HOME: place.dir, ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: server.url },
        }),
      () => server.requests.map((body) => JSON.stringify(body)),
    );
    // Thoughts go back as they came, with their signature.
    const last = JSON.stringify(server.requests.at(-1)?.messages);
    expect(last.match(/"type":"thinking"/g)).toHaveLength(steps.length);
    expect(last).toContain('"signature":"signed:');
  });
});
