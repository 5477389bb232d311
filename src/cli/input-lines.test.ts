import { describe, expect, it } from 'vitest';
import { inputLines } from './tools.ts';

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

  it.each([
    ['"a" or "b"', { type: 'string', enum: ['a', 'b'] }],
    ['"a", 5 or null', { enum: ['a', 5, null] }],
    ['5', { const: 5 }],
    ['object', { oneOf: [{ type: 'object' }, { type: 'object', properties: {} }] }],
    ['"on" or integer', { anyOf: [{ const: 'on' }, { type: 'integer' }] }],
    ['array of "a" or "b"', { type: 'array', items: { enum: ['a', 'b'] } }],
    ['array', { type: 'array', items: [{ type: 'string' }] }],
    ['any', { anyOf: [{ type: 'string' }, { $ref: '#/$defs/0' }] }],
    ['0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 or 88 more', { enum: [...Array(100).keys()] }],
  ])('tells what a value has to be: %s', (type, schema) => {
    const properties = { field: { ...schema, default: ['x'.repeat(50)] } };
    expect(inputLines({ type: 'object', properties })[1]).toBe(
      `  field (${type}, optional, else ["${'x'.repeat(38)}…)`,
    );
  });

  it('says that there is no field', () => {
    const closed = { type: 'object', properties: {}, additionalProperties: false };
    expect(inputLines(closed)).toEqual(['Input: {} (no fields)']);
    expect(inputLines({ type: 'object' })).toEqual(['Input: an object; no fields are named']);
  });
});
