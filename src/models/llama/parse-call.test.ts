import { describe, expect, it } from 'vitest';
import { parseCall } from './parse-call.ts';

const tools = [
  {
    name: 'search.grep',
    description: '',
    inputSchema: {
      type: 'object',
      properties: {
        pattern: { type: 'string' },
        path: { type: 'string' },
        limit: { type: 'integer', minimum: 1, maximum: 200 },
        tags: {
          type: 'array',
          items: { type: 'object', properties: { n: { type: 'number', maximum: 9 } } },
        },
      },
      required: ['pattern'],
    },
  },
];

describe('parseCall()', () => {
  it('drops nulls of optional inputs and moves numbers into their range', () => {
    const text =
      '{"tool":"search.grep","input":{"pattern":"a","path":null,"limit":900,"tags":[{"n":10}]}}';
    expect(parseCall(text, tools)).toEqual({
      tool: 'search.grep',
      input: { pattern: 'a', limit: 200, tags: [{ n: 9 }] },
    });
  });

  it('knows the wish to answer', () => {
    expect(parseCall('{"tool":"answer"}', tools)).toBe('answer');
  });

  it.each([
    ['{"tool":"search.grep","input":{"pattern":"a', /ended early, after 43 characters/],
    ['[]', /not a tool call/],
    ['{"tool":"file.delete","input":{}}', /not offered: "file.delete"/],
  ])('refuses %s', (text, message) => {
    expect(() => parseCall(text, tools)).toThrow(message);
  });
});
