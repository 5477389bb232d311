import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../contracts/tool.ts';
import {
  callSchema,
  type GrammarSchema,
  maxCallChars,
  shownParams,
  simplifySchema,
} from './call-schema.ts';

const grep = {
  name: 'search.grep',
  description: 'lines',
  onlyReads: true,
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
    const schema = callSchema(grep, { maxOutputTokens });
    expect(schema).toBeDefined();
    if (schema !== undefined) expect(maxCallChars(schema)).toBeLessThanOrEqual(maxOutputTokens);
  });

  it('gives up optional inputs where tokens are few, and allows to stop before them elsewhere', () => {
    const few = callSchema(grep, { maxOutputTokens: 100 });
    expect(JSON.stringify(few)).not.toContain('"path"');
    const many = callSchema(grep, { maxOutputTokens: 1_024 });
    expect(many).toMatchObject({ oneOf: [{ type: 'object' }, { type: 'object' }] });
    expect(JSON.stringify(many)).toContain('"path"');
  });

  it('has the paths that there are as alternatives, of a tool that only reads', () => {
    const paths = ['src/a.ts', 'src/b.ts'];
    const options = { maxOutputTokens: 1_024, values: { paths } };
    expect(JSON.stringify(callSchema(grep, options))).toContain('{"enum":["src/a.ts","src/b.ts"]}');
    const writer = { ...grep, onlyReads: false };
    expect(JSON.stringify(callSchema(writer, options))).not.toContain('src/a.ts');
    expect(
      JSON.stringify(callSchema(grep, { maxOutputTokens: 1_024, values: { paths: [] } })),
    ).toBe(JSON.stringify(callSchema(grep, { maxOutputTokens: 1_024 })));
  });

  it('has them for each path of a reading tool, however it is called, and for existing ones of others', () => {
    const pathOf = (description: string) => ({ type: 'string', description });
    const tool = (onlyReads: boolean) => ({
      ...{ name: 'file.move', description: 'moves a file', onlyReads },
      inputSchema: {
        type: 'object',
        properties: {
          from: pathOf('existing file, relative to the workspace'),
          to: pathOf('the new path, relative to the workspace'),
          note: { type: 'string' },
        },
        required: ['from', 'to', 'note'],
      },
    });
    const paths = ['a.ts'];
    const fieldsOf = (onlyReads: boolean) =>
      callSchema(tool(onlyReads), { maxOutputTokens: 4_000, values: { paths } });
    expect(fieldsOf(true)).toMatchObject({
      oneOf: [{ properties: { from: { enum: paths }, to: { enum: paths }, note: {} } }, {}],
    });
    expect(fieldsOf(false)).toMatchObject({
      oneOf: [
        { properties: { from: { enum: paths }, to: { type: 'string' }, note: { type: 'string' } } },
        {},
      ],
    });
  });

  it('leaves out a path that is longer than a call may be', () => {
    const paths = ['a.ts', `${'deep/'.repeat(100)}a.ts`];
    const text = JSON.stringify(callSchema(grep, { maxOutputTokens: 512, values: { paths } }));
    expect(text).toContain('{"enum":["a.ts"]}');
  });

  it('takes at most a thousand of them', () => {
    const paths = Array.from({ length: 1_200 }, (_, index) => `src/f${index}.ts`);
    const text = JSON.stringify(callSchema(grep, { maxOutputTokens: 1_024, values: { paths } }));
    expect(text).toContain('src/f999.ts');
    expect(text).not.toContain('src/f1000.ts');
  });

  it('says nothing of a tool whose calls are too long', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 9 }, (_, i) => [`text${i}`, { type: 'string' }]),
    );
    const required = Object.keys(properties);
    const long = { ...grep, inputSchema: { type: 'object', properties, required } };
    expect(callSchema(long, { maxOutputTokens: 128 })).toBeUndefined();
    expect(callSchema(grep, { maxOutputTokens: 20 })).toBeUndefined();
  });
});

describe('shownParams()', () => {
  it('shows what a tool needs, and nothing where it needs nothing', () => {
    expect(shownParams(grep)).toEqual({
      type: 'object',
      properties: { pattern: { type: 'string', maxLength: 160 } },
    });
    expect(shownParams({ ...grep, inputSchema: { type: 'object' } })).toBeUndefined();
  });
});

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
