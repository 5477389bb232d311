import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { serveTools } from './serve-tools.ts';

const plugin = (input: v.GenericSchema, given: unknown[]) =>
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
            return { content: 'done', summary: 'done' };
          },
        },
      ],
    } as unknown as Parameters<typeof serveTools>[0],
    [],
  );

describe('serveTools()', () => {
  it('hands a plain input on without the schema, which is asked about any other', () => {
    const given: unknown[] = [];
    let walks = 0;
    const text = v.string();
    const counted: typeof text = {
      ...text,
      '~run': (...args) => {
        walks += 1;
        return text['~run'](...args);
      },
    };
    const { call } = plugin(v.object({ text: counted }), given);
    expect(call('text', '{"text":"one"}')).toEqual({ content: 'done', summary: 'done' });
    expect(walks).toBe(0);
    const refused = (input: string, reason: string) =>
      expect(() => call('text', input)).toThrow(
        expect.objectContaining({ tag: 'invalid-input', val: expect.stringContaining(reason) }),
      );
    refused('{"text":1}', 'text: Invalid type');
    refused('{"text":"one","other":1}', 'unknown field "other"');
    refused('[]', 'Expected');
    refused('{', 'not JSON');
    expect(walks).toBe(1);
    expect(given).toEqual([{ text: 'one' }]);
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
});
