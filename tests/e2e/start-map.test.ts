import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../src/models/count-tokens.ts';
import {
  type ChatBody,
  type ChatScript,
  startOpenAiServer,
} from '../fixtures/openai-server/server.ts';
import { openPlace } from '../support/place.ts';
import { linesOf } from '../support/run-cuervo.ts';

const answering: ChatScript = () => ({ type: 'message', text: 'It is in the second part.' });

/** Names so long that a map of all folders would be above the limit. */
const folder = (at: number): string => `part${at}-${'of-a-long-name-'.repeat(14)}`;
const files = Object.fromEntries(
  Array.from({ length: 40 }, (_, part) =>
    Array.from({ length: 10 }, (_, at): [string, string] => [
      `${folder(part)}/file${at}.ts`,
      `import { next } from '../${folder(part + 1)}/file0.ts';\nexport const it = next;\n`,
    ]),
  ).flat(),
);

/** What the first message of a person holds. */
const firstOf = (body: ChatBody | undefined): string => String(body?.messages[1]?.content ?? '');

describe('a conversation with a model', () => {
  it('begins with the map of a workspace that has an index, and has it once', async () => {
    using place = openPlace(files);
    await using server = await startOpenAiServer(answering);
    await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--local']);
    const ask = (...args: string[]) => place.cuervo(['ask', '-m', 'srv/test', '--json', ...args]);
    const without = await ask('where is part7?');
    expect(linesOf(without, 'step-started')).toEqual([]);
    expect(firstOf(server.requests.at(-1))).not.toContain('400 files of code');

    await place.cuervo(['index']);
    const first = await ask('where is part7?');
    expect(linesOf(first, 'step-started').map(({ tool }) => tool)).toEqual(['search.map']);
    const shown = firstOf(server.requests.at(-1));
    expect(shown).toContain('400 files of code');
    expect(shown).toMatch(/\[data \S+ from search\.map\]/);
    expect(shown).toMatch(/and \d+ smaller parts/);
    const map = /\[data \S+ from search\.map\]([\s\S]*?)\[end of data/.exec(shown)?.[1] ?? '';
    expect(estimateTokens(map, 4)).toBeLessThanOrEqual(1550);

    // What the conversation began with stays where it was, so that a provider has read it already.
    const second = await ask('-c', 'and part8?');
    expect(linesOf(second, 'step-started')).toEqual([]);
    expect(firstOf(server.requests.at(-1))).toBe(shown);
  });

  it('begins a question about 1,000 files without a body of a function', async () => {
    const bodies = Object.fromEntries(
      Array.from({ length: 1000 }, (_, at) => [
        `src/area${at % 20}/file${at}.ts`,
        `export function limit${at}(): number {\n  return bodyOf(${at});\n}\n`,
      ]),
    );
    using place = openPlace(bodies);
    await using server = await startOpenAiServer(answering);
    await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--local']);
    await place.cuervo(['index']);
    const ask = ['ask', '-m', 'srv/test', 'where is limit7 defined?'];
    expect((await place.cuervo(ask)).code).toBe(0);
    const [first] = server.requests as ChatBody[];
    expect(firstOf(first)).toContain('1000 files of code');
    const sent = JSON.stringify(first);
    expect(sent).not.toContain('bodyOf');
    expect(estimateTokens(sent, 3)).toBeLessThanOrEqual(10_000);
  });
});
