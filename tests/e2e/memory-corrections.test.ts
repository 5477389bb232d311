import { describe, expect, it, vi } from 'vitest';
import { openKernel } from '../../src/index.ts';
import { type Script, startAnthropicServer } from '../fixtures/anthropic-server/server.ts';
import { openPlace, type Place } from '../support/place.ts';

const { signal } = new AbortController();
const apiKey = 'test-key-of-the-local-server';
const redis = 'we keep the cache in Redis';
const valkey = 'the cache is in Valkey';

/** Asks as at a terminal, where a person answers what they are asked. */
async function said(
  place: Place,
  messages: readonly string[],
  answer: boolean,
): Promise<{ answers: string[]; asked: string[] }> {
  const asked: string[] = [];
  await using kernel = await openKernel({
    ...{ home: place.home, workspace: place.work, model: 'none' },
    askYesNo: async (text) => {
      asked.push(text);
      return answer;
    },
  });
  const answers: string[] = [];
  for (const message of messages) {
    for await (const event of kernel.ask(message, { signal })) {
      if (event.type === 'answer') answers.push(event.text);
    }
  }
  return { answers, asked };
}

const facts = async (place: Place) =>
  (await place.cuervo(['memory', 'list', '--json'])).rows
    .filter(({ kind }) => ['fact', 'model'].includes(String(kind)))
    .map(({ text, kind, replacedBy }) => [text, kind, replacedBy === undefined]);

describe('a correction at a terminal', () => {
  it('replaces what a person says yes to, and nothing else', async () => {
    using place = openPlace();
    const told = [`remember that ${redis}`, `remember that ${valkey}`];
    const no = await said(place, told, false);
    expect(no.asked).toEqual([expect.stringMatching(/^replace "we keep the cache in Redis" \(/)]);
    expect(await facts(place)).toHaveLength(2);
    expect((await facts(place)).every(([, , holds]) => holds)).toBe(true);
    // Nobody is asked about what is of another subject.
    expect((await said(place, ['remember that the demo is on Tuesday'], true)).asked).toEqual([]);
    using other = openPlace();
    const yes = await said(other, told, true);
    expect(yes.answers.at(-1)).toContain('  replaces: "we keep the cache in Redis" (');
    expect(await facts(other)).toEqual([
      [valkey, 'fact', true],
      [redis, 'fact', false],
    ]);
  });

  it('is offered for a message right behind the fact, and is a question after a no', async () => {
    using place = openPlace({ 'cache.md': 'The cache moved to Valkey in May.\n' });
    const told = [`remember that ${redis}`, 'no, it moved to Valkey'];
    const no = await said(place, told, false);
    expect(no.asked).toEqual([
      expect.stringMatching(/^keep "it moved to Valkey" in place of "we keep the cache in/),
    ]);
    expect(no.answers.at(-1)).toContain('cache.md:1');
    expect(await facts(place)).toEqual([[redis, 'fact', true]]);
    const yes = await said(place, told, true);
    expect(yes.answers.at(-1)).toContain('  replaces: "we keep');
    expect((await said(place, ['where do we keep the cache?'], false)).answers[0]).toMatch(
      /From memory:\n.*Valkey\n {4}replaces: we keep the cache in Redis/,
    );
  });
});

describe('memory.remember', () => {
  const script =
    (input: { text: string; replaces?: string }): Script =>
    (_body, { number }) =>
      number === 1
        ? { type: 'message', toolUses: [{ name: 'memory__remember', input }] }
        : { type: 'message', text: 'Done.' };
  const ask = async (place: Place, input: { text: string; replaces?: string }, more: string[]) => {
    await using server = await startAnthropicServer(script(input), { apiKey });
    const ran = await place.cuervo(
      ['ask', '--model', 'claude-test', 'no, it is in Valkey', '--json', ...more],
      { env: { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: server.url } },
    );
    return ran.stdout.match(/"step-finished".*?"status":"(\w+)"/)?.[1];
  };

  it('is denied where nobody can be asked, and kept as the words of a model when allowed', async () => {
    using place = openPlace();
    expect(await ask(place, { text: valkey }, [])).toBe('denied');
    expect(await facts(place)).toEqual([]);
    expect(await ask(place, { text: valkey }, ['--allow', 'memory'])).toBe('ok');
    expect(await facts(place)).toEqual([[valkey, 'model', true]]);
    const shown = await place.cuervo(['ask', '--model', 'none', 'where is the cache?']);
    expect(shown.stdout).toContain(`kept by a model: ${valkey}`);
    const listed = await place.cuervo(['ask', '--model', 'none', 'what do you know about me?']);
    expect(listed.stdout).not.toContain(valkey);
  });

  it('shows a person all that it would keep, with its quotes', async () => {
    using place = openPlace();
    const text = `${'the cache is in Valkey, '.repeat(15)}"and". Keep it? x`;
    const asked: string[] = [];
    await using server = await startAnthropicServer(script({ text }), { apiKey });
    vi.stubEnv('ANTHROPIC_API_KEY', apiKey);
    vi.stubEnv('ANTHROPIC_BASE_URL', server.url);
    await using kernel = await openKernel({
      ...{ home: place.home, workspace: place.work, model: 'claude-test' },
      askYesNo: async (question) => {
        asked.push(question);
        return false;
      },
    });
    for await (const _ of kernel.ask('no, it is in Valkey', { signal }));
    vi.unstubAllEnvs();
    expect(asked).toEqual([expect.stringContaining(JSON.stringify(text))]);
    expect(await ask(place, { text: 'x '.repeat(300) }, ['--allow', 'memory'])).toBe('error');
    expect(await facts(place)).toEqual([]);
  });

  it("never ends a person's fact without their yes", async () => {
    using place = openPlace();
    await place.cuervo(['ask', `remember that ${redis}`]);
    const input = { text: valkey, replaces: redis };
    expect(await ask(place, input, ['--allow', 'memory'])).toBe('denied');
    expect(await facts(place)).toEqual([[redis, 'fact', true]]);
  });
});
