import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CellEdit, editCell } from './edit-cell.ts';
import { readNotebook } from './read-notebook.ts';

// As Jupyter writes it, with what parsing and printing would change: 1.0, a long number, the order
// of keys that are numbers, an escape beside text that is none.
const notebook = String.raw`{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {},
   "source": [
    "# Größe 🦉\n",
    "caf\u00e9 \"quoted\" {[\\"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 7,
   "id": "load",
   "metadata": {
    "tags": ["10", 1.0],
    "weights": {"10": 12345678901234567890, "2": 1e2}
   },
   "outputs": [
    {
     "data": {
      "text/plain": [
       "<b>\"outputs\": []</b>"
      ]
     },
     "execution_count": 7,
     "metadata": {},
     "output_type": "execute_result"
    }
   ],
   "source": [
    "x = 1\n",
    "x + 1"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "end",
   "metadata": {},
   "outputs": [],
   "source": []
  }
 ],
 "metadata": {
  "kernelspec": {
   "name": "python3"
  }
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`;
const cleared = notebook
  .replace(/"outputs": \[\n.*?\n {3}\]/s, '"outputs": []')
  .replace('"execution_count": 7,\n   "id"', '"execution_count": null,\n   "id"');
const oldSource = String.raw`[
    "x = 1\n",
    "x + 1"
   ]`;

const edited = (edit: CellEdit, text = notebook) => editCell(readNotebook(text, 'a.ipynb'), edit);

describe('editCell()', () => {
  it('replaces the source of a code cell, clears its outputs and keeps each other byte', () => {
    const { text, ...told } = edited({ cell: 2, source: 'print("é\t🦉")\r\ny\n' });
    const fresh = String.raw`[
    "print(\"é\t🦉\")\r\n",
    "y\n"
   ]`;
    expect(text).toBe(cleared.replace(oldSource, () => fresh));
    expect(told).toEqual({
      cell: { number: 2, id: 'load', type: 'code' },
      before: 'x = 1\nx + 1',
      after: 'print("é\t🦉")\r\ny\n',
      cleared: 1,
    });
  });

  it('replaces a piece of a cell that is named by its id', () => {
    const { text } = edited({ cell: 'load', old: 'x = 1\n', new: '' });
    expect(text).toBe(cleared.replace('    "x = 1\\n",\n', ''));
  });

  it('keeps the line of a markdown cell that has not changed readable', () => {
    const { text, cleared } = edited({ cell: 'intro', old: '# Größe', new: '# Länge' });
    const fresh = notebook.replace('# Größe', '# Länge').replace('\\u00e9', 'é');
    expect([text, cleared]).toEqual([fresh, 0]);
  });

  it('writes an empty source as an empty list, and fills one', () => {
    expect(edited({ cell: 2, source: '' }).text).toBe(cleared.replace(oldSource, '[]'));
    const filled = edited({ cell: 3, source: 'z' }).text;
    expect(filled).toBe(notebook.replace('"source": []', '"source": [\n    "z"\n   ]'));
  });

  it.each([
    ['four spaces', (value: unknown) => JSON.stringify(value, null, 4)],
    ['tabs', (value: unknown) => JSON.stringify(value, null, '\t')],
    ['one line', (value: unknown) => JSON.stringify(value)],
    [
      'line ends of Windows',
      (value: unknown) => JSON.stringify(value, null, 1).replace(/\n/g, '\r\n'),
    ],
  ])('keeps the layout of a file with %s', (_, print) => {
    const cell = (source: string | string[]) => ({ cell_type: 'raw', metadata: {}, source });
    const file = (source: string | string[]) =>
      print({ cells: [cell(source), cell(['b'])], metadata: {}, nbformat: 4, nbformat_minor: 4 });
    expect(edited({ cell: 1, source: 'x\ny' }, file('a')).text).toBe(file(['x\n', 'y']));
  });

  it('gives what printing the changed notebook gives, whatever stands in it', () => {
    const source = fc.array(
      fc.constantFrom('a', '"', '\\', '\n', '\r\n', '\t', 'é', '🦉', '{', ']'),
    );
    const file = fc.record({
      metadata: fc.jsonValue(),
      sources: fc.array(source, { minLength: 1, maxLength: 4 }),
      fresh: source,
      indent: fc.constantFrom(0, 1, 4, '\t'),
    });
    const lines = (text: string[]) => text.join('').match(/[^\n]*\n|[^\n]+/g) ?? [];
    const property = fc.property(file, fc.nat(), ({ metadata, sources, fresh, indent }, at) => {
      const cell = at % sources.length;
      fc.pre(sources[cell]?.join('') !== fresh.join(''));
      const print = (each: string[][], changed?: number) => {
        const cells = each.map((source, index) => ({
          cell_type: 'code',
          execution_count: index === changed ? null : 1,
          metadata,
          outputs: index === changed ? [] : [metadata],
          source: lines(source),
        }));
        return JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 4 }, null, indent);
      };
      const { text } = edited({ cell: cell + 1, source: fresh.join('') }, print(sources));
      expect(text).toBe(print(sources.with(cell, fresh), cell));
    });
    fc.assert(property, { numRuns: 200 });
  });

  it('adds a cell before and behind another, and deletes it again', () => {
    for (const insert of ['before', 'after'] as const) {
      for (const cell of [1, 2, 3]) {
        const added = edited({ cell, source: 'a\nb', insert });
        const number = cell + (insert === 'before' ? 0 : 1);
        expect(added.cell).toEqual({
          number,
          id: expect.stringMatching(/^[0-9a-f]{8}$/),
          type: 'code',
        });
        // Jupyter's own form: what printing with an indentation of one gives.
        const { cells } = JSON.parse(added.text) as { cells: unknown[] };
        const printed = JSON.stringify(cells[number - 1], null, 1).replace(/\n/g, '\n  ');
        expect(added.text).toContain(`\n  ${printed}`);
        expect(cells).toHaveLength(4);
        expect(edited({ cell: number, delete: true }, added.text).text).toBe(notebook);
      }
    }
  });

  it('gives a new cell an id only where the format knows ids', () => {
    const old = notebook.replace('"nbformat_minor": 5', '"nbformat_minor": 4');
    const { text, cell } = edited(
      { cell: 1, source: '# A', insert: 'before', type: 'markdown' },
      old,
    );
    expect(cell).toEqual({ number: 1, type: 'markdown' });
    expect((JSON.parse(text) as { cells: unknown[] }).cells[0]).toEqual({
      cell_type: 'markdown',
      metadata: {},
      source: ['# A'],
    });
  });

  it('fills an empty notebook and empties it', () => {
    const empty = '{\n "cells": [],\n "metadata": {},\n "nbformat": 4,\n "nbformat_minor": 4\n}\n';
    const { text } = edited({ cell: 1, source: 'x', insert: 'after' }, empty);
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 1)}\n`);
    expect(edited({ cell: 1, delete: true }, text).text).toBe(empty);
  });

  it.each<[string, CellEdit, string, RegExp]>([
    [
      'a cell too far',
      { cell: 4, source: 'x' },
      'not-found',
      /a\.ipynb has 3 cells, and no cell 4;/,
    ],
    ['an id that is not there', { cell: 'no', delete: true }, 'not-found', /none with the id "no"/],
    [
      'a piece that is not there',
      { cell: 2, old: 'y', new: 'z' },
      'not-found',
      /in cell 2 of a\.ipynb/,
    ],
    [
      'a piece that is there twice',
      { cell: 2, old: 'x', new: 'z' },
      'conflict',
      /2 times in cell 2 of a\.ipynb, in lines 1, 2/,
    ],
    [
      'a source that is there',
      { cell: 2, source: 'x = 1\nx + 1' },
      'invalid-input',
      /has this source already/,
    ],
    [
      'two ways at once',
      { cell: 2, source: 'x', delete: true },
      'invalid-input',
      /one of source, old with new, or delete/,
    ],
    ['no way', { cell: 2 }, 'invalid-input', /one of source/],
    ['old without new', { cell: 2, old: 'x' }, 'invalid-input', /go together/],
    ['new without old', { cell: 2, source: 'x', new: 'x' }, 'invalid-input', /go together/],
    [
      'insert without a source',
      { cell: 2, insert: 'after', delete: true },
      'invalid-input',
      /insert needs the source/,
    ],
    [
      'type without insert',
      { cell: 2, source: 'x', type: 'code' },
      'invalid-input',
      /type is for insert only/,
    ],
  ])('refuses %s', (_, edit, code, message) => {
    expect(() => edited(edit)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});
