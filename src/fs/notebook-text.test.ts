import { describe, expect, it } from 'vitest';
import { notebookText as ofSdk } from '../../sdk/host/notebook-text.ts';
import { notebookText } from './read-content.ts';

const notebook = {
  cells: [
    { cell_type: 'code', source: ['def mean(rows):\n', '    return "é"\n'], outputs: [] },
    { cell_type: 'code', source: 'a = 1\nb = "x"', outputs: [{ png: 'A'.repeat(5000) }] },
  ],
  nbformat: 4,
};

describe('notebookText()', () => {
  it('gives the same lines for each layout of a notebook', () => {
    const usual = {
      ...notebook,
      cells: notebook.cells.map((cell) => ({ ...cell, source: [cell.source].flat() })),
    };
    usual.cells[1]!.source = ['a = 1\n', 'b = "x"'];
    const asWritten = notebookText(JSON.stringify(usual, undefined, 1));
    expect(notebookText(JSON.stringify(notebook))).toBe(asWritten);
    expect(notebookText(JSON.stringify(notebook, undefined, 4))).toBe(asWritten);
    expect(asWritten?.split('\n')).toEqual(
      expect.arrayContaining(['def mean(rows):', '    return "é"', 'a = 1', 'b = "x"', '']),
    );
    expect(asWritten).not.toContain('AAAA');
  });

  it('leaves a line where the file has it', () => {
    const written = JSON.stringify(
      { ...notebook, cells: notebook.cells.slice(0, 1) },
      undefined,
      1,
    );
    const at = written.split('\n').findIndex((line) => line.includes('def mean'));
    expect(notebookText(written)?.split('\n')[at]).toBe('def mean(rows):');
  });

  it.each(['', '[]', '{"cells":3}', 'null', '{"cells":['])('takes %j for no notebook', (text) => {
    expect(notebookText(text)).toBeUndefined();
  });

  it('is the same in the SDK', () => {
    for (const text of [JSON.stringify(notebook), '{}'])
      expect(ofSdk(text)).toBe(notebookText(text));
  });
});
