import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, Index } from '@lancedb/lancedb';
import { afterAll, describe, expect, it } from 'vitest';
import { cosineOf } from '../search/rank-candidates.ts';
import { openLanceTable } from './lance-index.ts';
import { planIndices } from './lance-indices.ts';
import type { WrittenRow } from './lance-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuervo-policy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const dimensions = 16;

/** The same in every run, of length 1. */
function vectorOf(row: number): Float32Array {
  let state = Math.imul(row + 1, 0x9e3779b1);
  const vector = Float32Array.from({ length: dimensions }, () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
    return (state | 0) / 2 ** 31;
  });
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

describe('planIndices()', () => {
  it('rounds vectors where there are many, and looks at each of few or of turns', () => {
    const types = (...asked: Parameters<typeof planIndices>) =>
      planIndices(...asked)(Index).map(({ type }) => type);
    expect(types('assets', 9_999, 256)).toEqual([]);
    expect(types('interact', 50_000, 256)).toEqual([]);
    expect(types('insights', 10_000, 256)).toEqual(['BTree', 'IvfRq']);
    expect(types('assets', 1_000_000, 384)).toEqual(['BTree', 'IvfRq']);
  });

  it('keeps whole vectors of a size that cannot be rounded', () => {
    expect(planIndices('assets', 10_000, 100)(Index).map(({ type }) => type)).toContain('IvfFlat');
  });

  it('makes an index that finds the nearest rows, beside rows without a vector', async () => {
    const rows = Array.from({ length: 10_200 }, (_, at): WrittenRow => {
      const record = { text: 'x', context: 'x', kind: 'note', tags: [], project: '/p', ts: at };
      const made = at % 50 === 0 ? {} : { made: { vector: vectorOf(at), embedder: 'random' } };
      return { id: `r${at}`, record: { layer: 'assets', ...record }, ...made };
    });
    const name = { layer: 'assets', table: 'assets', embedder: 'random', dimensions } as const;
    using table = await openLanceTable(await connect(folder), name, { make: true });
    await table.append(rows.slice(0, 10_100));
    // fewer vectors than an index is made for
    await table.settle(0);
    await table.append(rows.slice(10_100));
    await table.optimize(0, true);
    const asked = vectorOf(-7);
    const truth = rows
      .flatMap(({ id, made }) => ({ id, cosine: cosineOf(asked, made?.vector) ?? -1 }))
      .sort((one, other) => other.cosine - one.cosine)
      .slice(0, 10);
    const found = await table.searchVector(asked, undefined, 100);
    const marks = await table.marks(found);
    const ids = found.slice(0, 10).map(({ rowId }) => marks.get(rowId)?.id);
    expect(ids).toEqual(truth.map(({ id }) => id));
    const [{ cosine = 0 } = {}] = found;
    expect(cosine).toBeCloseTo(truth[0]?.cosine ?? 0, 5);
  });
});
