import { describe, expect, it } from 'vitest';
import { parseCall } from './parse-protocol.ts';

const tool = {
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
};

describe('parseCall()', () => {
  it('drops nulls of optional inputs and moves numbers into their range', () => {
    const text = '{"pattern":"a","path":null,"limit":900,"tags":[{"n":10}]}';
    expect(parseCall(text, tool)).toEqual({ pattern: 'a', limit: 200, tags: [{ n: 9 }] });
  });

  it.each([
    ['{"pattern":"a', /ended early, after 13 characters/],
    ['[]', /is not the input of a tool/],
    ['null', /is not the input of a tool/],
  ])('refuses %s', (text, message) => {
    expect(() => parseCall(text, tool)).toThrow(message);
  });
});
