import { describe, expect, it } from 'vitest';
import { valueText } from './value-text.ts';

describe('valueText()', () => {
  it('writes a list of objects as a table, and other lists as lines', () => {
    expect(
      valueText(
        [
          { name: 'a', size: 12 },
          { name: 'long', size: 3 },
        ],
        80,
      ),
    ).toBe('name  size\na     12\nlong  3');
    expect(valueText(['a', 2, true, null], 80)).toBe('a\n2\ntrue\n');
  });

  it('writes an object as names with values, with its lists and texts below their name', () => {
    expect(valueText({ words: 3, none: [], rows: [{ a: 1 }], text: 'one\ntwo' }, 80)).toBe(
      'words: 3\nnone: none\nrows:\na\n1\ntext:\none\ntwo',
    );
  });

  it('gives a terminal nothing to obey', () => {
    const text = valueText({ 'a\u001b[2J': '\u001b]0;x\u0007', b: ['\r\u001b[1A'] }, 80);
    for (const control of ['\u001b', '\u0007', '\r']) expect(text).not.toContain(control);
  });

  it('takes order and titles of fields from a schema, and puts numbers to the right', () => {
    const schema = {
      type: 'object',
      properties: {
        total: { type: 'number', title: 'In all' },
        people: {
          type: 'array',
          items: {
            $ref: '#/$defs/person',
          },
        },
      },
      $defs: {
        person: {
          type: 'object',
          properties: {
            name: { type: 'string', title: 'Name' },
            hours: { anyOf: [{ type: 'number' }, { type: 'null' }] },
            tags: { type: 'array', items: { type: 'string' } },
          },
        },
      },
    };
    const people = [
      { hours: 7.5, more: 1, name: 'Ann', tags: ['a', 'b'] },
      { tags: [], hours: null, name: 'Bo' },
      { name: 'Cy', hours: 100, tags: ['c'] },
    ];
    expect(valueText({ people, total: 8 }, 80, { schema })).toBe(
      [
        'In all: 8',
        'people:',
        'Name  hours  tags  more',
        'Ann     7.5  a, b  1',
        'Bo',
        'Cy      100  c',
      ].join('\n'),
    );
  });

  it('shows maps and tuples as tables, bytes as their count', () => {
    const number = { type: 'number' };
    const counts = { type: 'object', properties: { won: number, lost: number } };
    expect(
      valueText({ Ann: { lost: 2, won: 12 }, Bo: { won: 3, lost: 1 } }, 80, {
        schema: { type: 'object', additionalProperties: counts },
      }),
    ).toBe('     won  lost\nAnn   12     2\nBo     3     1');
    const pair = {
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'integer', title: 'n' }],
    };
    const rows = [
      ['a', 1],
      ['bcd', 20],
    ];
    expect(valueText(rows, 80, { schema: { type: 'array', items: pair } })).toBe(
      '      n\na     1\nbcd  20',
    );
    const bytes = { type: 'string', contentEncoding: 'base64' };
    expect(valueText('AAAA', 80, { schema: bytes })).toBe('3 bytes');
  });

  it('shows a variant of WIT by its case', () => {
    const caseOf = (tag: string, value?: object) => ({
      type: 'object',
      properties: { tag: { const: tag }, ...(value === undefined ? {} : { value }) },
      required: ['tag'],
      additionalProperties: false,
    });
    const point = { type: 'object', properties: { y: { type: 'number' }, x: { type: 'number' } } };
    const schema = {
      anyOf: [caseOf('none'), caseOf('circle', { type: 'number' }), caseOf('at', point)],
    };
    expect(valueText({ tag: 'none' }, 80, { schema })).toBe('none');
    expect(valueText({ tag: 'circle', value: 2 }, 80, { schema })).toBe('circle: 2');
    expect(valueText({ tag: 'at', value: { x: 1, y: 2 } }, 80, { schema })).toBe(
      'at:\n  y: 2\n  x: 1',
    );
    const list = [{ tag: 'circle', value: 2 }, { tag: 'none' }];
    expect(valueText(list, 80, { schema: { type: 'array', items: schema } })).toBe(
      'circle: 2\nnone',
    );
  });

  it('shows a value that its schema does not describe as if it had none, and soon ends', () => {
    const value = { rows: [{ a: 1, b: [2] }], text: 'x' };
    const plain = valueText(value, 80);
    const odd: object[] = [
      { type: 'string' },
      { $ref: '#' },
      { $ref: '#/$defs/none' },
      { anyOf: Array(1000).fill({ $ref: '#' }) },
      { properties: 1, items: 'x', prefixItems: {}, additionalProperties: true },
      { properties: { rows: { type: 'number', title: 'T' }, text: null } },
    ];
    for (const schema of odd) expect(valueText(value, 80, { schema: schema as never })).toBe(plain);
  });

  it('gives a terminal nothing to obey from a schema', () => {
    const schema = { type: 'object', properties: { a: { title: '\u001b[2J\nx' } } };
    const text = valueText({ a: 1 }, 80, { schema });
    expect(text).not.toContain('\u001b');
    expect(text.split('\n')).toHaveLength(1);
  });

  it('makes no table of rows that have many different fields', () => {
    const rows = Array.from({ length: 500 }, (_, row) =>
      Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`f${row}-${at}`, 1])),
    );
    expect(valueText(rows, 80).split('\n')).toHaveLength(500);
  });
});
