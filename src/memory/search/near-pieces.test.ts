import { expect, it } from 'vitest';
import { nearPieces } from './near-pieces.ts';
import type { SearchPorts } from './search-memory.ts';

const piece = (source: string, cosine: number) => ({
  ...{ source, text: 'a = 1', startLine: 1, endLine: 1 },
  cosine,
});

it('nearPieces() counts as likeness what is above the floor of the embedder', async () => {
  const found = [piece('far.ts', 0.3), piece('near.ts', 0.9), piece('between.ts', 0.5)];
  const table = {
    name: { layer: 'assets', embedder: 'compressed', dimensions: 2 },
    nearPieces: async () => found,
  };
  const embedder = {
    ...{ name: 'compressed', dimensions: 2, cosineFloor: 0.4 },
    embed: async () => [Float32Array.of(1, 0)],
  };
  const ports = {
    embedder: async () => embedder,
    index: {
      tables: async () => [table.name],
      read: async (_: unknown, use: (tables: unknown[]) => unknown) => await use([table]),
    },
    warn: () => {},
  } as unknown as Pick<SearchPorts, 'index' | 'embedder' | 'warn'>;
  const { signal } = new AbortController();
  const near = await nearPieces(ports, 'asked', { project: '/a', sources: [], limit: 3, signal });
  expect(near.map(({ source, likeness }) => [source, Number(likeness.toFixed(3))])).toEqual([
    ['near.ts', 0.5],
    ['between.ts', 0.1],
    ['far.ts', 0],
  ]);
});
