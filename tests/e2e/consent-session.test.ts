import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Script, startAnthropicServer } from '../fixtures/anthropic-server/server.ts';
import {
  runInTerminal,
  type Typed,
  terminalMissing,
} from '../fixtures/terminal/run-in-terminal.ts';
import { openPlace, type Place } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';

const missing = terminalMissing();
const apiKey = 'test-key-of-the-local-server';
const headline = 'cuervo asks: ';

/** Calls the tools that the question names, `NAME INPUT; NAME INPUT`, all of them at once. */
const obeying: Script = (body) => {
  const { content } = body.messages.at(-1) ?? { content: '' };
  // A session that is continued has results of earlier questions, too.
  const isResult = Array.isArray(content) && content.some(({ type }) => type === 'tool_result');
  if (isResult) return { type: 'message', text: 'Done.' };
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const calls = [...text.matchAll(/\b(write|run) ([\w.]+)/g)].map(([, what = '', name = '']) =>
    what === 'write'
      ? { name: 'file__write', input: { path: name, text: `${name}\n` } }
      : { name: 'shell__run', input: { command: `touch ${name}` } },
  );
  return { type: 'message', toolUses: calls };
};

async function ask(place: Place, question: string, typed: readonly Typed[], ...flags: string[]) {
  await using server = await startAnthropicServer(obeying, { apiKey });
  const args = ['ask', '--model', 'claude-test', ...flags, question];
  const env = { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: server.url };
  const ran = await runInTerminal([process.execPath, program, ...args], typed, {
    cwd: place.work,
    env: { PATH: process.env.PATH ?? '', CUERVO_HOME: place.home, ...env },
  });
  return { ...ran, asked: ran.screen.split(headline).length - 1 };
}

const has = (place: Place, ...names: string[]): boolean[] =>
  names.map((name) => existsSync(join(place.work, name)));

describe(`questions within ask${missing === undefined ? '' : `, skipped: ${missing}`}`, () => {
  it.skipIf(missing)('s holds for the rest of the session, and not for the next one', async () => {
    using place = openPlace({ 'a.txt': 'a\n' });
    const prompt = '/s/p/e/n/?] ';
    const together = '/s/p/e/n/?] ';
    const both = 'please write one.txt and write two.txt';
    const first = await ask(place, both, [
      [together, '?\r'],
      [together, 's\r'],
    ]);
    expect(first).toMatchObject({ code: 0, asked: 2 });
    expect(first.screen).toContain('"file" gets fs-write:work, for any change there, for a day');
    expect(has(place, 'one.txt', 'two.txt')).toEqual([true, true]);
    const second = await ask(place, 'please write three.txt', [], '--continue');
    expect(second).toMatchObject({ code: 0, asked: 0 });
    expect(has(place, 'three.txt')).toEqual([true]);
    // It is a rule that can be read, and taken back.
    const grants = async () => (await place.cuervo(['plugin', 'grants', 'file', '--json'])).rows;
    const rule = { grant: 'fs-write:work', status: 'held', session: expect.any(String) };
    expect(await grants()).toContainEqual(expect.objectContaining(rule));
    const revoked = await place.cuervo(['plugin', 'revoke', 'file', 'fs-write:work']);
    expect(revoked).toMatchObject({ code: 0, stdout: 'revoked file fs-write:work\n' });
    expect(await grants()).not.toContainEqual(expect.objectContaining(rule));
    // The earlier questions stand in the conversation, and are obeyed once more.
    const third = await ask(place, 'please write five.txt', [[together, 's\r']], '--continue');
    expect(third).toMatchObject({ code: 0, asked: 1 });
    // control: another session holds nothing of it
    const other = await ask(place, 'please write four.txt', [[prompt, 'n\r']]);
    expect(other).toMatchObject({ asked: 1 });
    expect(has(place, 'four.txt')).toEqual([false]);
    expect(existsSync(join(place.home, 'grants.toml'))).toBe(false);
  });

  it.skipIf(missing)('one question covers what two steps of a plan need alike', async () => {
    using place = openPlace({ 'a.txt': 'a\n' });
    const prompt = '/s/p/e/n/?] ';
    const same = await ask(place, 'please run made.txt and run made.txt', [[prompt, 'y\r']]);
    expect(same).toMatchObject({ code: 0, asked: 1 });
    expect(has(place, 'made.txt')).toEqual([true]);
    // What differs is shown by itself in it, and another program asked about by itself.
    const other = await ask(place, 'please run x.txt and run y.txt', [[prompt, 'y\r']]);
    expect(other).toMatchObject({ asked: 1 });
    expect(has(place, 'x.txt', 'y.txt')).toEqual([true, true]);
    const typed: Typed[] = [
      [prompt, 'y\r'],
      ['/s/p/e/n/?] ', 'n\r'],
    ];
    const mixed = await ask(place, 'please run z.txt and write w.txt', typed);
    expect(mixed).toMatchObject({ asked: 2 });
    expect(has(place, 'z.txt', 'w.txt')).toEqual([true, false]);
    expect(readFileSync(join(place.work, 'a.txt'), 'utf8')).toBe('a\n');
  });
});
