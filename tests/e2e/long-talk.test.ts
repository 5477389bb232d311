import { describe, expect, it } from 'vitest';
import type { Stats } from '../../src/contracts/output/parse-journal.ts';
import {
  type ChatBody,
  type ChatScript,
  type OpenAiServer,
  startOpenAiServer,
} from '../fixtures/openai-server/server.ts';
import { openPlace, type Place } from '../support/place.ts';
import { lineOf, linesOf } from '../support/run-cuervo.ts';

const words = (name: string) => `${name} holds what is said of it, word after word. `.repeat(45);
const files = Object.fromEntries(
  Array.from({ length: 9 }, (_, at) => [`f${at}.txt`, words(`f${at}.txt`).repeat(2)]),
);

const isSumming = ({ messages }: ChatBody): boolean =>
  messages.at(-1)?.content?.includes('Sum up this conversation for yourself') === true;

/** Reads the file that it is asked about, and has much to say. */
const script: ChatScript = (body) => {
  if (isSumming(body))
    return { type: 'message', text: 'f0.txt to f4.txt were read; f2.txt:1 counts.' };
  const last = body.messages.at(-1);
  if (last?.role === 'tool') return { type: 'message', text: `I read it. ${words('It')}` };
  const name = /(f\d\.txt)(?![\s\S]*f\d\.txt)/.exec(last?.content ?? '')?.[1] ?? 'f0.txt';
  return { type: 'message', toolCalls: [{ name: 'file__read', input: { path: name } }] };
};

async function open(place: Place): Promise<OpenAiServer> {
  const server = await startOpenAiServer(script, {
    models: [{ id: 'test', max_model_len: 14_000 }],
  });
  await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--local']);
  await place.cuervo(['model', 'use', 'srv/test']);
  return server;
}

const textOf = ({ messages }: ChatBody): string[] => messages.map((each) => JSON.stringify(each));

/** Messages at the beginning that two requests share. */
function shared(first: ChatBody, second: ChatBody): number {
  const [a, b] = [textOf(first), textOf(second)];
  return a.findIndex((each, at) => each !== b[at]) < 0
    ? a.length
    : a.findIndex((each, at) => each !== b[at]);
}

describe('a conversation that is longer than its model can read', () => {
  it('is shortened, then summed up, and its beginning stays as it is in between', async () => {
    using place = openPlace(files);
    await using server = await open(place);
    const questions = Object.keys(files).map((name) => `what does ${name} say?`);
    const ran = await place.cuervo(['chat', '--json'], { stdin: questions.join('\n') });
    expect(ran.code, ran.stderr).toBe(0);
    expect(linesOf(ran, 'answer').map(({ stop }) => stop)).toEqual(questions.map(() => 'answered'));
    expect(ran.stderr).toContain('the conversation was made shorter to fit');
    expect(ran.stderr).toMatch(/\d earlier questions are summed up by srv\/test|summed up by test/);
    const summing = server.requests.filter(isSumming);
    expect(summing.length).toBeGreaterThanOrEqual(1);
    expect(summing.length).toBeLessThanOrEqual(2);
    expect(summing[0]?.tools).toBeUndefined();
    const usage = linesOf(ran, 'usage').filter(({ purpose }) => purpose === 'summary');
    expect(usage).toHaveLength(summing.length);
    const { shortened } = (await place.cuervo(['stats', '--json'])).rows[0] as unknown as Stats;
    expect(shortened.requests).toBe(summing.length);
    expect(shortened.tokens).toBeGreaterThan(0);
    expect(shortened.times).toBeGreaterThan(summing.length);

    // The summary stands as words of the model, with the runs that it is of.
    const last = server.requests.at(-1) as ChatBody;
    const at = last.messages.findIndex(({ content }) => content?.includes('Their runs: '));
    expect(last.messages[at]?.role).toBe('user');
    expect(last.messages[at + 1]).toMatchObject({
      role: 'assistant',
      content: expect.stringMatching(/^\[Summary in the words of .*test\]\nf0\.txt to f4\.txt/),
    });
    const { rows } = await place.cuervo(['session', 'export', '--json']);
    const runs = [...new Set(rows.map(({ run }) => run as string))];
    expect(last.messages[at]?.content).toContain(runs[0]);
    // Nothing that was said is lost.
    expect(rows.filter(({ role }) => role === 'tool')).toHaveLength(questions.length);

    // Round for round the beginning is the same, but where it was made shorter.
    const talk = server.requests.filter((body) => !isSumming(body));
    const changed = talk.filter((body, index) => {
      const before = talk[index - 1];
      return before !== undefined && shared(before, body) < before.messages.length;
    });
    expect(talk).toHaveLength(2 * questions.length);
    expect(changed.length).toBeGreaterThanOrEqual(2);
    expect(changed.length).toBeLessThan(questions.length);

    // Another process begins with the same bytes.
    const more = await place.cuervo(['ask', '-c', 'what does f1.txt say, again?', '--json']);
    expect(lineOf(more, 'answer').stop, more.stderr).toBe('answered');
    const next = server.requests.at(-2) as ChatBody;
    expect(isSumming(next)).toBe(false);
    expect(shared(last, next)).toBeGreaterThanOrEqual(at + 2);
  });
});
