import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type ChatBody,
  type ChatReply,
  type ChatScript,
  startOpenAiServer,
} from '../fixtures/openai-server/server.ts';
import { openPlace, type Place } from '../support/place.ts';

const say = (text: string): ChatReply => ({ type: 'message', text });
const call = (name: string, ...inputs: object[]): ChatReply => ({
  type: 'message',
  toolCalls: inputs.map((input) => ({ name, input })),
});

const results = ({ messages }: ChatBody): string[] =>
  messages.flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []));
const asked = ({ messages }: ChatBody): string =>
  JSON.stringify(messages.filter(({ role }) => role === 'user'));
const offered = ({ tools = [] }: ChatBody): string[] => tools.map((tool) => tool.function.name);

async function withModel(place: Place, script: ChatScript) {
  const server = await startOpenAiServer(script);
  await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--local']);
  return server;
}

const ask = (place: Place, ...flags: string[]) =>
  place.cuervo(['ask', 'do it all', '--model', 'srv/test', '--json', ...flags]);

describe('sub-tasks', () => {
  it('run side by side with reading tools of their own, and are steps below the step', async () => {
    using place = openPlace({ 'a.txt': 'alpha\n', 'b.txt': 'beta\n', 'c.txt': 'gamma\n' });
    await using server = await withModel(place, (body) => {
      const letter = /GOAL-(\w)/.exec(asked(body))?.[1];
      if (letter === undefined) {
        if (results(body).length > 0) return say(`All: ${results(body).join(' ')}`);
        return call('task', ...['a', 'b', 'c'].map((each) => ({ goal: `GOAL-${each}` })));
      }
      const [read] = results(body);
      return read === undefined
        ? call('file__read', { path: `${letter}.txt` })
        : say(`FOUND-${letter}`);
    });
    const { code, events: rows } = await ask(place);
    expect(code).toBe(0);
    const done = rows.filter(({ type }) => type === 'step-finished').map(({ step }) => step);
    expect(done.toSorted()).toEqual(['s1', 's1.1', 's2', 's2.1', 's3', 's3.1']);
    const answer = rows.find(({ type }) => type === 'answer');
    for (const letter of 'abc') expect(answer?.text).toContain(`FOUND-${letter}`);
    const last = rows.findLastIndex(({ type }) => type === 'step-finished');
    expect(rows.slice(0, last).filter(({ type }) => type === 'text')).toEqual([]);
    const child = server.requests.find((body) => asked(body).includes('GOAL-a'));
    expect(offered(child as ChatBody)).not.toContain('file__write');
    expect(asked(child as ChatBody)).not.toContain('do it all');
    const { stdout } = await place.cuervo(['runs', 'show', String(rows[0]?.run), '--json']);
    expect(stdout).toContain('"s1.1"');
  });

  it('write only with tools that were named, of those that there are', async () => {
    using place = openPlace({ 'a.txt': 'alpha\n' });
    const refused: string[] = [];
    const script =
      (more: object): ChatScript =>
      (body) => {
        if (!asked(body).includes('GOAL')) {
          return results(body).length > 0 ? say('Done.') : call('task', { goal: 'GOAL', ...more });
        }
        refused.push(...results(body));
        return results(body).length > 0
          ? say('Done.')
          : call('file__write', { path: 'b.txt', text: 'b' });
      };
    {
      await using _ = await withModel(place, script({}));
      await ask(place, '--allow', 'fs-write:work');
      expect(existsSync(join(place.work, 'b.txt'))).toBe(false);
      expect(refused.join()).toContain('there is no tool');
    }
    await place.cuervo(['model', 'remove', 'srv']);
    await using _ = await withModel(place, script({ tools: ['file.write', 'no.such'] }));
    await ask(place);
    expect(existsSync(join(place.work, 'b.txt'))).toBe(false);
    await ask(place, '--allow', 'fs-write:work');
    expect(existsSync(join(place.work, 'b.txt'))).toBe(true);
  });

  it('begin others once, and no further', async () => {
    using place = openPlace({ 'a.txt': 'alpha\n' });
    await using server = await withModel(place, (body) =>
      results(body).length > 0
        ? say(`Back: ${results(body).join()}`)
        : call('task', { goal: `${'x'.repeat(server.requests.length)} again`, tools: ['task'] }),
    );
    const { code, events: rows } = await ask(place);
    expect(code).toBe(0);
    const steps = rows.filter(({ type }) => type === 'step-finished');
    expect(steps.map(({ step, status }) => [step, status])).toEqual([
      ['s1.1.1', 'denied'],
      ['s1.1', 'ok'],
      ['s1', 'ok'],
    ]);
    expect(JSON.stringify(steps)).toContain('no others at depth 2');
  });

  it('end at their own budget, and leave rounds to the one above', async () => {
    using place = openPlace({ 'a.txt': 'alpha\n' });
    await using _ = await withModel(place, (body) => {
      if (asked(body).includes('GOAL'))
        return call('file__read', { path: 'a.txt', start: results(body).length + 1 });
      const [came] = results(body);
      if (came === undefined) return call('task', { goal: 'GOAL', budget: { rounds: 3 } });
      return say(`Came to: ${came}`);
    });
    const { code, events: rows } = await ask(place);
    expect(code).toBe(0);
    expect(rows.find(({ type }) => type === 'answer')?.text).toMatch(
      /no answer: .*3 rounds, limit 3/,
    );
    expect(rows.filter(({ type }) => type === 'step-started')).toHaveLength(3);
  });
});

describe('the tool skill', () => {
  it('lists recipes by their descriptions, gives one, and leaves its tools alone', async () => {
    using place = openPlace({
      '.agents/skills/deploy/SKILL.md': '---\nname: deploy\ndescription: SECRET-WORDS\n---\nGo.\n',
    });
    const own = join(place.home, 'skills/careful');
    mkdirSync(own, { recursive: true, mode: 0o700 });
    writeFileSync(
      join(own, 'SKILL.md'),
      '---\nname: careful\ndescription: Only looks around.\nallowed-tools: file.read\n---\nBODY-OF-IT\n',
    );
    const told: string[] = [];
    await using server = await withModel(place, (body) => {
      told.splice(0, told.length, ...results(body));
      const steps = [
        call('file__write', { path: 'first.txt', text: 'x' }),
        call('skill', { name: 'careful' }),
        call('file__write', { path: 'b.txt', text: 'x' }),
        call('skill', { name: 'deploy' }),
      ];
      return steps[told.length] ?? say('Done.');
    });
    await ask(place, '--allow', 'fs-write:work');
    expect(existsSync(join(place.work, 'first.txt'))).toBe(true);
    expect(existsSync(join(place.work, 'b.txt'))).toBe(false);
    expect(told[1]).toContain('BODY-OF-IT');
    expect(told[2]).toContain('there is no tool');
    const described = JSON.stringify(server.requests[0]?.tools);
    expect(described).toContain('careful: Only looks around.');
    expect(described).not.toContain('SECRET-WORDS');
  });

  it('gives none of a project that nobody agreed to', async () => {
    using place = openPlace({
      '.agents/skills/deploy/SKILL.md': '---\nname: deploy\ndescription: D.\n---\nGo-and-delete.\n',
    });
    const told: string[] = [];
    await using _ = await withModel(place, (body) => {
      told.push(...results(body));
      return told.length > 0 ? say('Done.') : call('skill', { name: 'deploy' });
    });
    await ask(place);
    expect(told.join()).toContain('nobody agreed');
    expect(told.join()).not.toContain('Go-and-delete');
  });
});
