import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../contracts/tool.ts';
import { type GrammarSchema, simplifySchema } from './simplify-schema.ts';

const limits = { maxStringChars: 50, maxItems: 4, keepOptional: true };

describe('simplifySchema()', () => {
  it('keeps what is required, and lets the rest be null', () => {
    const schema = {
      type: 'object',
      properties: { pattern: { type: 'string' }, literal: { type: 'boolean' } },
      required: ['pattern'],
      additionalProperties: true,
    };
    expect(simplifySchema(schema, limits)).toEqual({
      type: 'object',
      properties: {
        pattern: { type: 'string', maxLength: 50 },
        literal: { oneOf: [{ type: 'boolean' }, { type: 'null' }] },
      },
    });
    expect(simplifySchema(schema, { ...limits, keepOptional: false })).toEqual({
      type: 'object',
      properties: { pattern: { type: 'string', maxLength: 50 } },
    });
  });

  it.each<[string, JsonObject, GrammarSchema]>([
    ['a pattern', { type: 'string', pattern: '^a+$' }, { type: 'string', maxLength: 50 }],
    ['a longer limit', { type: 'string', maxLength: 9_000 }, { type: 'string', maxLength: 50 }],
    [
      'a minimum above the limit',
      { type: 'string', minLength: 80 },
      { type: 'string', minLength: 50, maxLength: 50 },
    ],
    ['a date', { type: 'string', format: 'date' }, { type: 'string', format: 'date' }],
    ['another format', { type: 'string', format: 'email' }, { type: 'string', maxLength: 50 }],
    ['a small range', { type: 'integer', minimum: 1, maximum: 3 }, { enum: [1, 2, 3] }],
    ['a wide range', { type: 'integer', minimum: 1, maximum: 500 }, { type: 'integer' }],
    ['a const', { const: 'x' }, { const: 'x' }],
    ['an enum', { enum: ['a', 1, null, { no: 1 }] }, { enum: ['a', 1, null] }],
    [
      'two types',
      { type: ['integer', 'null'] },
      { oneOf: [{ type: 'integer' }, { type: 'null' }] },
    ],
    ['no type', {}, { type: 'string', maxLength: 50 }],
    [
      'a list',
      { type: 'array', items: { type: 'number' } },
      { type: 'array', items: { type: 'number' }, minItems: 0, maxItems: 4 },
    ],
    [
      'a long list',
      { type: 'array', minItems: 9, maxItems: 20 },
      { type: 'array', items: { type: 'string', maxLength: 50 }, minItems: 4, maxItems: 4 },
    ],
    [
      'anyOf',
      { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
      { oneOf: [{ type: 'string', maxLength: 50 }, { type: 'boolean' }] },
    ],
    ['one choice', { anyOf: [{ type: 'boolean' }] }, { type: 'boolean' }],
    [
      'any properties',
      { type: 'object', additionalProperties: { type: 'string' } },
      { type: 'object', properties: {} },
    ],
  ])('simplifies %s', (_name, schema, simple) => {
    expect(simplifySchema(schema, limits)).toEqual(simple);
  });

  it('puts references in place and merges allOf', () => {
    const schema = {
      $defs: {
        path: { type: 'string', maxLength: 9 },
        base: { properties: { a: { $ref: '#/$defs/path' } }, required: ['a'] },
      },
      allOf: [{ $ref: '#/$defs/base' }, { properties: { b: { type: 'null' } }, required: ['b'] }],
    };
    expect(simplifySchema(schema, limits)).toEqual({
      type: 'object',
      properties: { a: { type: 'string', maxLength: 9 }, b: { type: 'null' } },
    });
  });

  it('ends recursion', () => {
    const schema = {
      type: 'object',
      properties: { next: { $ref: '#', $defs: {} }, self: { $ref: '#/properties/self' } },
      required: ['self', 'next'],
    };
    expect(JSON.stringify(simplifySchema(schema, limits))).toContain('"null"');
  });

  it('gives something bounded for any JSON', () => {
    const key = fc.constantFrom(
      'type',
      'properties',
      'items',
      'enum',
      'anyOf',
      'allOf',
      'required',
      'const',
      '$ref',
      'maxLength',
      'minItems',
      'x',
    );
    const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<Json>(
          'object',
          'array',
          'string',
          'integer',
          '#/x',
          '#/properties/x',
          3,
          -1,
          true,
          null,
        ),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(key, tree, { maxKeys: 5 }), (schema) => {
        const simple = JSON.stringify(simplifySchema(schema, limits));
        expect(simple).not.toMatch(/"\$ref":"/);
        for (const [, length] of simple.matchAll(/"max(?:Length|Items)":(-?[\d.]+)/g)) {
          expect(Number(length)).toBeGreaterThanOrEqual(0);
          expect(Number(length)).toBeLessThanOrEqual(50);
        }
      }),
    );
  });
});
