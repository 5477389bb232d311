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
    const schema = callSchema([grep], { maxOutputTokens, mayAnswer: true });
    expect(maxCallChars(schema)).toBeLessThanOrEqual(maxOutputTokens);
  });

  it('gives up optional inputs where tokens are few, and allows to stop before them elsewhere', () => {
    const few = JSON.stringify(callSchema([grep], { maxOutputTokens: 128, mayAnswer: false }));
    expect(few).not.toContain('"path"');
    const many = callSchema([grep], { maxOutputTokens: 1_024, mayAnswer: false });
    expect(many).toMatchObject({ oneOf: [{ type: 'object' }, { type: 'object' }] });
    expect(JSON.stringify(many)).toContain('"path"');
  });

  it('offers the answer only where it may', () => {
    expect(JSON.stringify(callSchema([grep], { maxOutputTokens: 200, mayAnswer: true }))).toContain(
      '{"tool":{"const":"answer"}}',
    );
    expect(
      JSON.stringify(callSchema([grep], { maxOutputTokens: 200, mayAnswer: false })),
    ).not.toContain('"answer"');
  });

  it('refuses a budget that no call fits in', () => {
    expect(() => callSchema([grep], { maxOutputTokens: 20, mayAnswer: false })).toThrow(
      /a call of "search.grep" can take \d+ tokens, limit 20 \(maxOutputTokens\)/,
    );
  });
});
