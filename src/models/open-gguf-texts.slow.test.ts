import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findTestModel } from '../../tests/fixtures/find-test-model.ts';
import { unconfined as confine } from '../../tests/support/unconfined.ts';
import { openGgufRanker, openGgufVectors } from './open-gguf-texts.ts';

const stories = findTestModel('stories260K');
const childPath = join(import.meta.dirname, 'llama/child.ts');
const { signal } = new AbortController();
const title =
  stories === undefined ? 'needs the test model stories260K: set CUERVO_TEST_MODELS' : '';

// The model knows nothing: what is shown is that vectors come out whole, in order and of length 1.
describe.skipIf(stories === undefined)(`openGgufVectors() ${title}`.trim(), () => {
  it('makes vectors of length 1 that depend on the text alone, also of a long one', async () => {
    await using model = await openGgufVectors({ path: stories ?? '', childPath, confine });
    expect(model.name).toMatch(/^stories260K\.gguf@[0-9a-f]{8}$/);
    const texts = ['once upon a time', 'there was a boat', 'word '.repeat(5_000)];
    const vectors = await model.embed([...texts, ...texts.toReversed()], { signal });
    expect(vectors).toHaveLength(6);
    for (const vector of vectors) {
      expect(vector).toHaveLength(model.dimensions);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
    }
    const product = (one: number, other: number) =>
      Array.from(vectors[one] ?? [], (value, at) => value * (vectors[other]?.[at] ?? 0)).reduce(
        (sum, value) => sum + value,
        0,
      );
    for (const at of [0, 1, 2]) expect(product(at, 5 - at)).toBeCloseTo(1, 4);
    expect(product(0, 1)).toBeLessThan(0.999);
  });

  it('says so when a model that was not made for it is to rank', async () => {
    await using model = openGgufRanker({ path: stories ?? '', childPath, confine });
    await expect(model.score('boat', ['a boat'], { signal, maxTokens: 64 })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/stories260K\.gguf could not be loaded: .*rank/i),
    });
  });
});

describe('openGgufRanker()', () => {
  it('refuses a file that is not there before any process starts', () => {
    expect(() => openGgufRanker({ path: '/nowhere/model.gguf', childPath, confine })).toThrow(
      '/nowhere/model.gguf',
    );
  });
});
