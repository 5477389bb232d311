import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lastToolResult, startAnthropicServer } from '../fixtures/anthropic-server/server.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { openPlace, type Place } from '../support/place.ts';
import { lineOf, type Ran } from '../support/run-cuervo.ts';

let place: Place;
beforeEach(() => {
  const opened = openPlace(fixtureRepository);
  place = {
    ...opened,
    cuervo: (args, options) => opened.cuervo(args, { ...options, ownProcess: true }),
  };
});
afterEach(() => place[Symbol.dispose]());

const ask = (words: string, ...flags: string[]): Promise<Ran> =>
  place.cuervo(['ask', words, '--json', ...flags]);
const run = (tool: string, input: object, ...flags: string[]): Promise<Ran> =>
  place.cuervo(['run', tool, JSON.stringify(input), '--json', ...flags]);
const contentOf = (ran: Ran): unknown => JSON.parse(lineOf(ran, 'result').content);

const needsBubblewrap = !existsSync('/usr/bin/bwrap');
const needs = '(needs: sudo apt-get install bubblewrap)';

describe('the built command line, through every part', () => {
  it('answers a question from files: router, planner, policy, host, executor', async () => {
    const ran = await ask('where does the queue keep its jobs?');
    expect(ran.code).toBe(0);
    const { steps } = lineOf(ran, 'plan');
    expect(steps.map(({ tool }) => tool)).toEqual([
      'search.passages',
      'passages.rank',
      'search.names',
    ]);
    expect(lineOf(ran, 'answer').evidence[0]?.path).toBe('src/queue/job-queue.ts');
  });

  it('runs the tool that a model asks for: models, guard', async () => {
    const apiKey = 'test-key-of-the-local-server';
    await using server = await startAnthropicServer(
      (body) => {
        const found = lastToolResult(body);
        if (found !== undefined) {
          const value = /maxRetries = (\d+)/.exec(found)?.[1];
          return { type: 'message', text: `The limit is ${value}.` };
        }
        const input = { pattern: 'maxRetries = \\d+' };
        return { type: 'message', toolUses: [{ name: 'search__grep', input }] };
      },
      { apiKey },
    );
    const args = ['ask', '--model', 'claude-test', 'where is the retry limit set?', '--json'];
    const env = { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: server.url };
    const ran = await place.cuervo(args, { env });
    expect(lineOf(ran, 'answer')).toMatchObject({ mode: 'model', text: 'The limit is 7.' });
    // What a file says goes to a model as data.
    expect(JSON.stringify(server.requests.at(-1))).toMatch(/\[data [a-z]+ from tool/);
  });

  it('recalls a note that no file holds: memory', async () => {
    expect((await ask('remember that releases happen on Thursdays')).code).toBe(0);
    const answer = lineOf(await ask('on which day do releases happen?'), 'answer');
    expect(answer.text).toContain('Thursdays');
    expect(answer.memory.length).toBeGreaterThan(0);
  });

  it('promotes a note: scheduler', async () => {
    await ask('remember that releases happen on Thursdays');
    const ran = await place.cuervo(['jobs', 'run', 'promote_decisions', '--json']);
    expect(ran.rows).toMatchObject([{ outcome: 'done', summary: 'promoted 1 row' }]);
  });

  it('lists the turn of a question: store', async () => {
    const question = 'where is the tax rate defined?';
    await ask(question);
    const shown = await place.cuervo(['session', 'show', '--json']);
    expect(JSON.stringify(shown.rows)).toContain(question);
  });

  it('plans a question and runs nothing', async () => {
    const ran = await place.cuervo(['plan', 'where is the tax rate defined?', '--json']);
    expect(ran.code).toBe(0);
    expect(ran.lines.map(({ type }) => type)).toEqual(['plan']);
  });

  it('searches with a plugin', async () => {
    const ran = await run('search.grep', { pattern: 'TAX_RATE = ' });
    expect(ran.code).toBe(0);
    expect(contentOf(ran)).toMatchObject({
      matches: [{ path: 'src/billing/invoice_total.py', line: 1 }],
    });
  });

  it('writes a file with a grant, and takes it back', async () => {
    const written = await run(
      'file.write',
      { path: 'new.txt', text: 'x' },
      ...['--allow', 'fs-write:work'],
    );
    expect(written.code).toBe(0);
    expect(readFileSync(join(place.work, 'new.txt'), 'utf8')).toBe('x');
    expect((await place.cuervo(['undo', '--yes'])).code).toBe(0);
    expect(existsSync(join(place.work, 'new.txt'))).toBe(false);
  });

  it('writes nothing without a grant', async () => {
    const ran = await run('file.write', { path: 'new.txt', text: 'x' });
    expect(lineOf(ran, 'error').code).toBe('permission-denied');
    expect(ran.code).toBe(3);
    expect(existsSync(join(place.work, 'new.txt'))).toBe(false);
  });

  it('reads no protected file, and the one beside it', async () => {
    place.write({ '.env': 'KEY=1\n', 'plain.txt': 'plain\n' });
    const denied = await run('file.read', { path: '.env' });
    expect(lineOf(denied, 'error').code).toBe('permission-denied');
    expect(lineOf(await run('file.read', { path: 'plain.txt' }), 'result').content).toContain(
      'plain',
    );
  });

  it.skipIf(needsBubblewrap)(`runs a program with a grant, and none without ${needs}`, async () => {
    const command = { command: 'sh -c "echo made > made.txt"' };
    expect(lineOf(await run('shell.run', command), 'error').code).toBe('permission-denied');
    expect(existsSync(join(place.work, 'made.txt'))).toBe(false);
    const ran = await run('shell.run', command, '--allow', 'exec:sh', '--allow', 'fs-write:work');
    expect(ran.code).toBe(0);
    expect(readFileSync(join(place.work, 'made.txt'), 'utf8')).toBe('made\n');
  });

  it('lists its plugins with their grants', async () => {
    const { code, rows } = await place.cuervo(['plugin', 'list', '--json']);
    expect(code).toBe(0);
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['file', 'git', 'search']));
  });
});
