import { describe, expect, it } from 'vitest';
import { callSchema, maxCallChars } from './call-schema.ts';

const grep = {
  name: 'search.grep',
  description: 'lines',
  inputSchema: {
    type: 'object',
    properties: {
      pattern: { type: 'string' },
      path: { type: 'string' },
      limit: { type: 'integer' },
      before: { type: 'integer' },
      literal: { type: 'boolean' },
    },
    required: ['pattern'],
  },
};

describe('callSchema()', () => {
  it.each([128, 256, 512, 1_024])('allows no call longer than %i characters', (maxOutputTokens) => {
    const { schema } = callSchema([grep], { maxOutputTokens, mayAnswer: true });
    expect(maxCallChars(schema)).toBeLessThanOrEqual(maxOutputTokens);
  });

  it('gives up optional inputs where tokens are few, and allows to stop before them elsewhere', () => {
    const few = callSchema([grep], { maxOutputTokens: 128, mayAnswer: false });
    expect(JSON.stringify(few.schema)).not.toContain('"path"');
    const many = callSchema([grep], { maxOutputTokens: 1_024, mayAnswer: false });
    expect(many.schema).toMatchObject({ oneOf: [{ type: 'object' }, { type: 'object' }] });
    expect(JSON.stringify(many.schema)).toContain('"path"');
  });

  it('offers the answer only where it may', () => {
    const answer = '{"tool":{"const":"answer"}}';
    const options = { maxOutputTokens: 200, mayAnswer: true };
    expect(JSON.stringify(callSchema([grep], options))).toContain(answer);
    expect(JSON.stringify(callSchema([grep], { ...options, mayAnswer: false }))).not.toContain(
      answer,
    );
  });

  it('leaves out a tool whose calls are too long, and keeps the others', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 9 }, (_, i) => [`text${i}`, { type: 'string' }]),
    );
    const required = Object.keys(properties);
    const long = {
      ...grep,
      name: 'other.long',
      inputSchema: { type: 'object', properties, required },
    };
    const { schema, offered } = callSchema([long, grep], {
      maxOutputTokens: 128,
      mayAnswer: false,
    });
    expect(offered).toEqual([grep]);
    expect(JSON.stringify(schema)).not.toContain('other.long');
  });

  it('refuses a budget that no call fits in', () => {
    expect(() => callSchema([grep], { maxOutputTokens: 20, mayAnswer: false })).toThrow(
      /^no call of search.grep fits into 20 tokens \(maxOutputTokens\)$/,
    );
  });
});
