import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dotProduct } from '../../lib/numbers.ts';
import { codeEmbedderFileName, embedderFileName, loadEmbedder } from './load-embedder.ts';

const shipped = join(import.meta.dirname, embedderFileName);

describe('loadEmbedder()', () => {
  it('finds texts alike that share their meaning and no word', () => {
    const { embed, dimensions } = loadEmbedder(shipped);
    const like = (left: string, right: string) => dotProduct(embed(left), embed(right));
    expect(embed('car')).toHaveLength(dimensions);
    expect(like('delete a directory', 'remove the folder')).toBeGreaterThan(
      like('delete a directory', 'paint the house'),
    );
    expect(like('some words', 'some words')).toBeCloseTo(1, 5);
  });

  it('reads names in code as their words', () => {
    const { embed, embedCode } = loadEmbedder(shipped);
    expect(embedCode('maxRetryCount(x);')).toEqual(embed('max Retry Count x'));
  });

  it('tells how near code comes to each word', () => {
    const { nearestInCode } = loadEmbedder(join(import.meta.dirname, codeEmbedderFileName));
    const near = nearestInCode(['delete', 'folder', '']);
    const [both, first, none] = near('deleteFolder(path)');
    expect([both, first, none]).toEqual([expect.closeTo(1, 3), expect.closeTo(1, 3), 0]);
    const [remove, directory] = near('removeDirectory(path)');
    const [paint, house] = near('paintHouse(colour)');
    expect(remove).toBeGreaterThan(paint as number);
    expect(directory).toBeGreaterThan(house as number);
    expect(near('')).toEqual([0, 0, 0]);
    expect(nearestInCode([])('deleteFolder(path)')).toEqual([]);
  });

  it('gives zeros for a text without any known piece', () => {
    expect(
      loadEmbedder(shipped)
        .embed(' \n')
        .every((value) => value === 0),
    ).toBe(true);
  });

  it('says which file cannot be used, and what to do', () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'cuervo-embedder-'));
    const path = join(folder.path, 'x.ste');
    for (const make of [() => {}, () => writeFileSync(path, 'no table')]) {
      make();
      expect(() => loadEmbedder(path)).toThrow(
        expect.objectContaining({ code: 'unavailable', message: expect.stringContaining(path) }),
      );
    }
  });
});
