import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tabulatePieces } from '../../src/memory/static/index-word-pieces.ts';
import {
  codeEmbedderFileName,
  embedderFileName,
  openEmbedderFile,
} from '../../src/memory/static/load-embedder.ts';
import { openPlace, type Place } from '../support/place.ts';

const hook = join(import.meta.dirname, '../support/tell-loaded.mjs');
const reader = /chunks\/ask-/;
const crypto = /^NativeModule crypto$/;
/** What names of `node:util` and `node:fs` bring that no list needs. */
const ofNames = /^NativeModule (?:worker_threads|internal\/util\/diff|internal\/fs\/promises)$/;

const dist = join(import.meta.dirname, '../../dist');

describe('what the build prepares', () => {
  it('is the table of the pieces that both embedders have', () => {
    for (const name of [embedderFileName, codeEmbedderFileName]) {
      const { vocabulary, pieces } = openEmbedderFile(join(dist, name));
      expect(pieces).toEqual(tabulatePieces(vocabulary));
    }
  });
});

describe('what a command loads', () => {
  it('leaves out what it does not need', async () => {
    using place = openPlace({ 'a.ts': 'export const retryLimit = 3;\n' });
    const listed = await loadedBy(place, ['plugin', 'list']);
    expect(listed).toContainEqual(expect.stringMatching(/chunks\/core-/));
    expect(listed.filter((name) => reader.test(name) || crypto.test(name))).toEqual([]);
    expect(listed.filter((name) => ofNames.test(name))).toEqual([]);

    const asked = await loadedBy(place, ['ask', 'where is the retry limit set?']);
    expect(asked).toContainEqual(expect.stringMatching(reader));
    expect(asked).toContainEqual(expect.stringMatching(crypto));
  });

  it('is few files', async () => {
    using place = openPlace({ 'a.ts': 'export const retryLimit = 3;\n' });
    const asked = await loadedBy(place, ['ask', 'where is the retry limit set?']);
    // Three times as many took a tenth of a question.
    expect(asked.filter((name) => name.includes('/chunks/')).length).toBeLessThan(40);
  });
});

async function loadedBy(place: Place, args: readonly string[]): Promise<string[]> {
  const told = join(place.dir, 'loaded.txt');
  const env = { NODE_OPTIONS: `--import=${hook}`, TELL_LOADED: told };
  const { code, stderr } = await place.cuervo(args, { env, ownProcess: true });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return readFileSync(told, 'utf8').split('\n');
}
