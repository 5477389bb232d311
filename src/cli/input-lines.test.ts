import { describe, expect, it } from 'vitest';
import { inputLines } from './input-lines.ts';

describe('inputLines()', () => {
  it('tells each field, its type and whether it has to be there', () => {
    const properties = {
      path: { type: 'string', description: 'where' },
      line: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    };
    expect(inputLines({ type: 'object', properties, required: ['path'] })).toEqual([
      'Input:',
      '  path (string, required): where',
      '  line (integer or string, optional)',
    ]);
  });

  it('says that there is no field', () => {
    const closed = { type: 'object', properties: {}, additionalProperties: false };
    expect(inputLines(closed)).toEqual(['Input: {} (it takes no field)']);
    expect(inputLines({ type: 'object' })).toEqual(['Input: an object; it names no field']);
  });
});
