import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ChatScript, startOpenAiServer } from '../fixtures/openai-server/server.ts';
import { openPlace } from '../support/place.ts';
import { lineOf, twoLines } from '../support/run-cuervo.ts';

/** Writes a file, and says that it did. */
const script: ChatScript = ({ messages }) =>
  messages.at(-1)?.role === 'tool'
    ? { type: 'message', text: 'Fixed.' }
    : {
        type: 'message',
        toolCalls: [{ name: 'file__write', input: { path: 'new.txt', text: 'hello\n' } }],
      };

describe('cuervo ask with a model whose changes are denied', () => {
  it('exits 3 and counts them, and 0 where they are made', async () => {
    using place = openPlace({ 'a.txt': 'a\n' });
    await using server = await startOpenAiServer(script);
    await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--local']);
    await place.cuervo(['model', 'use', 'srv/test']);
    const ask = ['ask', '--model-role', 'choose', 'please write new.txt'];
    const denied = await place.cuervo(ask);
    expect(denied.code, denied.stderr).toBe(3);
    expect(denied.stdout.trimEnd().split('\n').at(-1)).toBe('Changed: 0. Denied: 1.');
    expect(denied.stderr).toContain('every change that this run tried was denied');
    expect(existsSync(join(place.work, 'new.txt'))).toBe(false);
    const made = await place.cuervo([...ask, '--allow', 'fs-write:work', '--json']);
    expect(made.code, made.stderr).toBe(0);
    expect(lineOf(made, 'answer')).toMatchObject({ changed: 1, denied: 0 });
    expect(existsSync(join(place.work, 'new.txt'))).toBe(true);
  });
});

describe('what a person types who does not know how to begin', () => {
  it.each(['help', 'what can you do?'])('ask "%s" says it on one screen', async (question) => {
    using place = openPlace({});
    const ran = await place.cuervo(['ask', question]);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('cuervo ask "where is NAME defined?"');
    expect(ran.stdout.split('\n').length).toBeLessThan(25);
  });

  it('a question in the place of a command is told to be asked', async () => {
    using place = openPlace({});
    const ran = await place.cuervo(['where is main?']);
    expect({ code: ran.code, hint: twoLines(ran).hint }).toEqual({
      code: 2,
      hint: "Ask it with: cuervo ask 'where is main?'",
    });
    const words = await place.cuervo(['where', 'is', 'main']);
    expect(twoLines(words).hint).toBe("Ask it with: cuervo ask 'where is main'");
    for (const slip of [['nosuch'], ['plugn', 'install', 'x']])
      expect(twoLines(await place.cuervo(slip)).hint).not.toContain('cuervo ask');
  });

  it('an order without a model is the call it names, which says what is missing', async () => {
    using place = openPlace({});
    const ran = await place.cuervo(['ask', 'run the tests']);
    expect({ code: ran.code, hint: twoLines(ran).hint }).toEqual({
      code: 2,
      hint: 'See what it takes with: cuervo tools shell.run-tests',
    });
  });
});

describe('lines and files that a question names', () => {
  it('are shown as asked', async () => {
    const log = Array.from({ length: 60 }, (_, at) => `${at % 20 === 7 ? 'ERROR' : 'INFO'} ${at}`);
    using place = openPlace({
      'logs/a.log': `${log.join('\n')}\n`,
      'src/a.py': 'def one():\n    return 1\n',
      'src/b.py': 'def two():\n    return 2\n',
    });
    const last = await place.cuervo(['ask', 'show the last 5 lines of logs/a.log']);
    expect(last.stdout).toMatch(/logs\/a\.log:56-60/);
    expect(last.stdout).not.toContain('INFO 54');
    const errors = await place.cuervo(['ask', 'show ERROR lines in logs/a.log']);
    expect(errors.stdout).toContain('logs/a.log:8  ERROR 7');
    expect(errors.stdout).not.toContain('INFO');
    const both = await place.cuervo(['ask', 'compare src/a.py and src/b.py']);
    expect(both.stdout).toContain('def one():');
    expect(both.stdout).toContain('def two():');
    const here = await place.cuervo(['ask', 'what is in this folder?']);
    expect({ code: here.code, told: here.stdout.includes('src/') }).toEqual({
      code: 0,
      told: true,
    });
  });
});
