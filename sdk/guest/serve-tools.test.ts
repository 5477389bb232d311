import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { defineTool } from '../define-plugin.ts';
import { ToolError } from '../tool-error.ts';
import { serveTools } from './serve-tools.ts';

const done = { content: 'done', summary: 'done' };

const plugin = (input: v.GenericSchema, given: unknown[], result: unknown = done) =>
  serveTools(
    {
      name: 'echo',
      version: '1.0.0',
      description: 'Gives inputs back.',
      licence: 'Apache-2.0',
      wants: [],
      tools: [
        {
          name: 'text',
          description: 'Gives its input back.',
          effect: 'pure',
          input,
          examples: [],
          run: (own: unknown) => {
            given.push(own);
            return result;
          },
        },
      ],
    } as unknown as Parameters<typeof serveTools>[0],
    [],
  );

describe('serveTools()', () => {
  it('is loaded without the globals of a plugin, which other tests of a process would meet', () => {
    expect([Date, JSON.parse].map(String)).toEqual(
      Array(2).fill(expect.stringContaining('native')),
    );
  });

  it('fills in what the schema fills in', () => {
    const given: unknown[] = [];
    const { call } = plugin(
      v.object({ mode: v.optional(v.string(), 'safe'), text: v.fallback(v.string(), 'none') }),
      given,
    );
    call('text', '{"text":1}');
    expect(given).toEqual([{ mode: 'safe', text: 'none' }]);
  });

  const returned = (result: unknown) => () => plugin(v.object({}), [], result).call('text', '{}');

  it('sends content that is not a string as JSON', () => {
    for (const content of [null, 0, false, [], { words: 3 }]) {
      const sent = { content: JSON.stringify(content), summary: '' };
      expect(returned({ content, summary: '' })()).toEqual(sent);
    }
    expect(returned({ content: '', summary: 'empty' })()).toEqual({
      content: '',
      summary: 'empty',
    });
  });

  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const wanted = 'it has to return { content, summary }';

  it.each([
    ['a text', 'text', `"run" returned a string; ${wanted}`],
    ['null', null, `"run" returned null; ${wanted}`],
    ['no content', { words: 3, summary: '' }, `"run" returned no "content"; ${wanted}`],
    ['no summary', { content: '' }, `"run" returned no "summary"; ${wanted}`],
    ['a number as summary', { content: '', summary: 3 }, 'returned a number as "summary", which'],
    ['a list as summary', { content: '', summary: [] }, 'returned an object as "summary", which'],
    ['a function', { content: () => 1, summary: '' }, 'not JSON: it is a function'],
    ['a bigint', { content: 1n, summary: '' }, '"run" returned "content" that is not JSON: '],
    ['a cycle', { content: cycle, summary: '' }, '"run" returned "content" that is not JSON: '],
    ['a promise where no engine runs jobs', Promise.resolve(done), '"run" is async, which this'],
  ])('names the tool and what is wrong when "run" returns %s', (_, result, reason) => {
    expect(returned(result)).toThrow(
      expect.objectContaining({ tag: 'failed', val: expect.stringContaining(reason) }),
    );
  });

  it('writes U+FFFD for half of a surrogate pair, on which an engine traps', () => {
    expect(returned({ content: 'a\ud83d', summary: '\ude00' })()).toEqual({
      content: 'a\ufffd',
      summary: '\ufffd',
    });
  });

  const thrown = (value: unknown) => () => {
    const run = () => {
      throw value;
    };
    const tool = { name: 'text', input: v.object({}), run };
    serveTools({ name: 'echo', tools: [tool] } as never, []).call('text', '{}');
  };

  it.each([
    ['half of a surrogate pair', new ToolError('limit', 'a\ud83d'), 'limit', 'a\ufffd'],
    [
      'a code that is none',
      new ToolError('forbidden' as never, 'no'),
      'failed',
      expect.stringMatching(/^no \(ToolError has no code "forbidden"; it has invalid-input, /),
    ],
    ['a message that is not text', Object.assign(new Error(), { message: 5 }), 'failed', '5'],
    ['nothing', undefined, 'failed', '"run" threw undefined'],
  ])('tells of an error with %s', (_, value, tag, val) => {
    expect(thrown(value)).toThrow(expect.objectContaining({ tag, val }));
  });

  it('names the tool whose "run" returns nothing', () => {
    const tool = { name: 'text', input: v.object({}), run: () => {} };
    const { call } = serveTools({ name: 'echo', tools: [tool] } as never, []);
    const val = `"run" returned nothing; ${wanted}`;
    expect(() => call('text', '{}')).toThrow(expect.objectContaining({ val }));
  });
});

describe('Tool', () => {
  it('lets no types pass that leave out content or summary', () => {
    const tool = {
      name: 'count',
      description: 'Counts.',
      effect: 'pure',
      input: v.object({}),
      examples: [],
    } as const;
    // @ts-expect-error: a text is not a result
    defineTool({ ...tool, run: () => 'text' });
    // @ts-expect-error: there is no summary
    defineTool({ ...tool, run: () => ({ content: '' }) });
    // @ts-expect-error: there is no content
    defineTool({ ...tool, run: () => ({ words: 3, summary: '' }) });
    expect(defineTool({ ...tool, run: () => ({ content: null, summary: '' }) }).name).toBe('count');
  });

  it('says which code of an error is unknown, and which there are', () => {
    const thrower = {
      get content(): never {
        throw new ToolError('invalid-argument' as never, 'no');
      },
    };
    const { call } = plugin(v.object({}), [], thrower);
    expect(() => call('text', '{}')).toThrow(
      expect.objectContaining({
        tag: 'failed',
        val: 'no (ToolError has no code "invalid-argument"; it has invalid-input, not-found, denied, limit, timeout, conflict, unavailable, failed)',
      }),
    );
  });
});
