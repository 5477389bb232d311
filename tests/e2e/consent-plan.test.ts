import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  lastToolResult,
  type Script,
  startAnthropicServer,
} from '../fixtures/anthropic-server/server.ts';
import { openTerminal, tmuxMissing } from '../fixtures/terminal/in-tmux.ts';
import { openPlace, type Place } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';

const missing = [
  tmuxMissing(),
  existsSync('/usr/bin/bwrap')
    ? undefined
    : 'bubblewrap is not installed: apt-get install bubblewrap',
].find((reason) => reason !== undefined);
const apiKey = 'test-key-of-the-local-server';
const prompt = '/s/p/e/n/?] ';

type Use = { name: string; input: object };
const write = (path: string, text: string): Use => ({ name: 'file__write', input: { path, text } });
const shell = (command: string): Use => ({ name: 'shell__run', input: { command } });

/** A model that makes these calls in one round, and says what came back; at a terminal. */
async function open(place: Place, uses: readonly Use[], ...flags: string[]) {
  const script: Script = (body) => {
    const results = lastToolResult(body);
    if (results === undefined)
      return {
        type: 'message',
        toolUses: uses.map((use) => ({ ...use, input: { ...use.input } })),
      };
    return { type: 'message', text: `It said: ${JSON.stringify(body.messages.at(-1)?.content)}` };
  };
  const server = await startAnthropicServer(script, { apiKey });
  const env = {
    ...{ PATH: '/usr/local/bin:/usr/bin:/bin', HOME: place.dir, CUERVO_HOME: place.home },
    ...{ ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: server.url },
  };
  const terminal = openTerminal({ cwd: place.work, env });
  const words = [
    program,
    'ask',
    ...flags,
    '--model',
    'claude-test',
    'please write a file, insert a line into a file, run a command',
  ];
  terminal.type(
    `${[process.execPath, ...words].map((word) => `'${word}'`).join(' ')}; echo ended $?`,
  );
  return {
    ...terminal,
    asked: () => terminal.screen().split('cuervo asks: ').length - 1,
    [Symbol.asyncDispose]: async () => {
      terminal[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const textOf = (place: Place, name: string): string | undefined =>
  existsSync(join(place.work, name)) ? readFileSync(join(place.work, name), 'utf8') : undefined;

describe(`one question for a plan${missing === undefined ? '' : `, skipped: ${missing}`}`, () => {
  it.skipIf(missing)('covers three changes before the first is made; y makes them', async () => {
    using place = openPlace({ 'a.txt': 'one\n' });
    const uses = [write('a.txt', 'two\n'), write('b.txt', 'b\n'), write('c.txt', 'c\n')];
    await using terminal = await open(place, uses);
    await terminal.waitFor(prompt);
    const screen = terminal.screen();
    expect(screen).toContain('cuervo asks: 3 steps: may these changes be made?');
    expect(screen).toMatch(/step +"s\d+"\n +file +"work:a\.txt"\n[\s\S]*- \| one\n +\+ \| two\n/);
    expect(screen).toMatch(/new file +"work:b\.txt"\n[\s\S]*new file +"work:c\.txt"\n/);
    expect(screen).toMatch(/covers +3 steps: "s\d+", "s\d+", "s\d+"\n/);
    expect(['a.txt', 'b.txt', 'c.txt'].map((name) => textOf(place, name))).toEqual([
      ...['one\n', undefined, undefined],
    ]);
    terminal.type('y');
    await terminal.waitFor('ended 0');
    expect(['a.txt', 'b.txt', 'c.txt'].map((name) => textOf(place, name))).toEqual([
      ...['two\n', 'b\n', 'c\n'],
    ]);
    expect(terminal.asked()).toBe(1);
  });

  it.skipIf(missing)('stops all of them by one n, and the model hears why', async () => {
    using place = openPlace({ 'a.txt': 'one\n' });
    await using terminal = await open(place, [write('b.txt', 'b\n'), write('c.txt', 'c\n')]);
    await terminal.waitFor(prompt);
    terminal.type('n');
    await terminal.waitFor('ended 3');
    expect(terminal.screen()).toMatch(/the user does not allow file to do this/);
    expect([textOf(place, 'b.txt'), textOf(place, 'c.txt')]).toEqual([undefined, undefined]);
    expect(terminal.asked()).toBe(1);
  });

  it.skipIf(missing)('runs nothing to find out what is needed, granted or not', async () => {
    const uses = [shell('sh count.sh'), shell('sh count.sh'), shell('sh count.sh two')];
    const count = 'echo "ran $1" >> count.txt\n';
    {
      using place = openPlace({ 'count.sh': count });
      await using terminal = await open(place, uses);
      await terminal.waitFor(prompt);
      expect(textOf(place, 'count.txt')).toBeUndefined();
      expect(terminal.screen()).toMatch(/steps +"s\d+", "s\d+"\n +program +"sh"/);
      terminal.type('y');
      await terminal.waitFor('ended 0');
      expect(textOf(place, 'count.txt')).toBe('ran \nran \nran two\n');
      expect(terminal.asked()).toBe(1);
    }
    // control: with the grant nobody is asked, and each runs as often as it was called
    using place = openPlace({ 'count.sh': count });
    await using terminal = await open(place, uses, '--allow', 'exec:sh', '--allow', 'fs:work');
    await terminal.waitFor('ended 0');
    expect(textOf(place, 'count.txt')).toBe('ran \nran \nran two\n');
    expect(terminal.asked()).toBe(0);
  });

  it.skipIf(missing)('does not cover what an earlier step made another change of', async () => {
    using place = openPlace({ 'a.txt': 'one\n' });
    const insert = { name: 'file__insert', input: { path: 'a.txt', line: 1, text: 'more' } };
    await using terminal = await open(place, [write('a.txt', 'two\n'), insert]);
    await terminal.waitFor(prompt);
    terminal.type('y');
    // The second one was shown as a change of "one"; it is now one of "two".
    await terminal.waitFor(prompt, 2);
    expect(textOf(place, 'a.txt')).toBe('two\n');
    terminal.type('n');
    await terminal.waitFor('ended 0');
    expect(textOf(place, 'a.txt')).toBe('two\n');
    expect(terminal.asked()).toBe(2);
  });

  it.skipIf(missing)('e puts each to its own call, where its arguments can be edited', async () => {
    using place = openPlace({ 'a.txt': 'one\n' });
    await using terminal = await open(place, [shell('touch b.txt'), shell('touch c.txt')]);
    await terminal.waitFor(prompt);
    terminal.type('e');
    await terminal.waitFor(prompt, 2);
    terminal.type('y');
    await terminal.waitFor(prompt, 3);
    terminal.type('n');
    await terminal.waitFor('ended 0');
    expect(terminal.asked()).toBe(3);
    expect([textOf(place, 'b.txt'), textOf(place, 'c.txt')]).toEqual(['', undefined]);
  });
});
