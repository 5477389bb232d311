import { describe, expect, it } from 'vitest';
import { findCell, readNotebook } from './read-notebook.ts';

const cell = (id: string, source: string | string[]) => ({ id, cell_type: 'code', source });
const file = (cells: unknown, nbformat: unknown = 4) => JSON.stringify({ cells, nbformat });

describe('readNotebook()', () => {
  it('reads number, id, type, source and outputs of each cell', () => {
    const text = file([{ ...cell('a', ['x\n', 'y']), outputs: [1, 2] }, cell('b', 'z')]);
    expect(readNotebook(text, 'f').cells).toMatchObject([
      { number: 1, id: 'a', type: 'code', source: 'x\ny', outputs: 2 },
      { number: 2, id: 'b', type: 'code', source: 'z', outputs: 0 },
    ]);
  });

  it.each([
    ['no JSON', '# text', /^f is not a notebook that can be read: it is not JSON$/],
    ['another JSON', '{"a":1}', /it has no nbformat/],
    ['a list', '[]', /it has no nbformat/],
    ['an old notebook', file([], 3), /its nbformat is 3, and it must be 4$/],
    ['no list of cells', file({}), /it has no list "cells"$/],
    ['a cell without a type', file([cell('a', 'x'), {}]), /its cell 2 has no cell_type$/],
    [
      'a source that is not text',
      file([{ ...cell('a', 'x'), source: [1] }]),
      /source of its cell 1/,
    ],
  ])('refuses %s', (_, text, message) => {
    expect(() => readNotebook(text, 'f')).toThrow(
      expect.objectContaining({ code: 'invalid-input', message: expect.stringMatching(message) }),
    );
  });
});

describe('findCell()', () => {
  const notebook = readNotebook(file([cell('2', 'x'), cell('b', 'y'), cell('b', 'z')]), 'f');

  it('takes a number, an id before a number, and digits', () => {
    const found = [2, '2', '3'].map((wanted) => findCell(notebook, wanted).number);
    expect(found).toEqual([2, 1, 3]);
  });

  it('refuses an id of several cells', () => {
    expect(() => findCell(notebook, 'b')).toThrow(
      expect.objectContaining({ code: 'conflict', message: expect.stringContaining('cells 2, 3') }),
    );
  });
});
