import { describe, expect, it } from 'vitest';
import { callSchema, maxCallChars, shownParams } from './call-schema.ts';

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
