import { describe, expect, it } from 'vitest';
import { addPassages } from './add-passages.ts';

const lines = ['Bike repair', 'Total 90 euros', 'Payable until 3 May'];
const ofBike = { path: 'papers/bike-invoice.pdf', lines, pages: undefined, isCut: false };

function found(words: readonly string[], document = ofBike) {
  const content = JSON.stringify({ passages: [], words });
  const { content: added } = addPassages({ content, summary: '' }, [document]);
  return (JSON.parse(added) as { passages: { line: number; score: number }[] }).passages;
}

describe('addPassages()', () => {
  it('looks for the words that the name of the document does not hold', () => {
    expect(found(['invoice', 'total'])).toMatchObject([{ line: 1, hits: [2], score: 1 }]);
  });

  it('looks for all words where the document holds no others, and counts those of its name', () => {
    expect(found(['bike', 'invoice', 'cost'])).toMatchObject([{ line: 1, hits: [1] }]);
    expect(found(['bike', 'invoice', 'cost'])[0]?.score).toBeCloseTo(2 / 3);
    const other = { ...ofBike, path: 'papers/a.pdf' };
    expect(found(['bike', 'invoice', 'cost'], other)[0]?.score).toBeCloseTo(1 / 3);
    expect(found(['tram', 'invoice', 'cost'])).toEqual([]);
  });
});
