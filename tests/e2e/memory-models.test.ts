import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { tinyTable, writeTinyPairModel, writeTinySentenceModel } from '../fixtures/tiny-model.ts';
import { openPlace, type Place } from '../support/place.ts';

/** Each word is a direction of its own. */
const table = tinyTable((token) => tinyTable((at) => (at === token ? 1 : 0)));

async function openFilled(): Promise<Place> {
  const place = openPlace();
  for (const text of ['the sky is deep blue', 'an apple is red', 'the deep blue sea']) {
    const ran = await place.cuervo(['ask', `remember that ${text}`]);
    expect(ran.code, ran.stderr).toBe(0);
  }
  return place;
}

function configure(place: Place, memory: string): void {
  writeFileSync(
    join(place.home, 'config.toml'),
    `[memory]\nrerank-timeout-ms = 60000\n${memory}\n`,
  );
}

function keptIn(path: string): unknown {
  const database = new BetterSqlite3(path, { readonly: true });
  try {
    return database.prepare('SELECT COUNT(*) FROM vectors').pluck().get();
  } finally {
    database.close();
  }
}

const search = ['memory', 'search', 'deep blue', '--json'];

describe('a sentence model in CUERVO_HOME/models', () => {
  it('looks at the best hits again, and is named by doctor and stats', async () => {
    using place = await openFilled();
    const plain = await place.cuervo(search);
    expect(plain.rows).toHaveLength(2);
    expect(plain.rows[0]?.factors).not.toHaveProperty('rerank');
    const before = await place.cuervo(['memory', 'stats']);
    expect(before.stderr).toMatch(
      /vectors come from the built-in table.* a sentence model such as all-MiniLM-L6-v2/,
    );

    writeTinySentenceModel(join(place.home, 'models/tiny'), table);
    configure(place, '');
    const again = await place.cuervo(search);
    // Facts are looked for by the model's own vectors.
    expect(again.rows[0]?.factors).toMatchObject({ likeness: expect.any(Number) });
    expect(existsSync(join(place.home, 'vectors.db'))).toBe(true);
    const stats = await place.cuervo(['memory', 'stats']);
    expect(stats.stderr).toMatch(/reranked by the tokens of tiny@[0-9a-f]{8}/);
    const doctor = await place.cuervo(['doctor', '--json']);
    expect(doctor.rows.find(({ name }) => name === 'memory')).toMatchObject({ status: 'ok' });

    configure(place, 'reranker = "none"');
    const off = await place.cuervo(search);
    expect(off.rows.map(({ id }) => id)).toEqual(plain.rows.map(({ id }) => id));
    expect(off.rows[0]?.factors).not.toHaveProperty('rerank');
  });

  it('leaves nothing of a forgotten text in what is kept of texts', async () => {
    using place = await openFilled();
    writeTinySentenceModel(join(place.home, 'models/tiny'), table);
    configure(place, '');
    const found = await place.cuervo(search);
    const path = join(place.home, 'vectors.db');
    expect(keptIn(path)).toBe(3);
    const forgotten = await place.cuervo([
      'memory',
      'forget',
      '--run',
      String(found.rows[0]?.run),
      '--yes',
    ]);
    expect(forgotten.code, forgotten.stderr).toBe(0);
    expect(keptIn(path)).toBe(0);
  });

  it('makes the vectors when it is chosen: mixing is refused, reembed brings all over', async () => {
    using place = await openFilled();
    const plain = await place.cuervo(search);
    expect(plain.rows[0]?.factors).toHaveProperty('cosine');
    writeTinySentenceModel(join(place.home, 'models/tiny'), table);
    configure(place, 'embedder = "tiny"');
    const mixed = await place.cuervo(search);
    expect(mixed.code).toBe(0);
    expect(mixed.stderr).toMatch(
      /searched by words alone: .* holds vectors of static-256 .*cuervo memory reembed/,
    );
    expect(mixed.rows[0]?.factors).not.toHaveProperty('cosine');

    const moved = await place.cuervo(['memory', 'reembed', '--json']);
    expect(moved.rows).toEqual([{ rows: 3 }]);
    const after = await place.cuervo(search);
    expect(after.stderr).toBe('');
    expect(after.rows[0]?.factors).toMatchObject({ cosine: expect.any(Number) });
    const [stats] = (await place.cuervo(['memory', 'stats', '--json'])).rows;
    expect(stats).toMatchObject({ dimensions: 10 });
    expect(String(stats?.embedder)).toMatch(/^tiny@/);
  });

  it('reranks with a model that reads question and text together', async () => {
    using place = await openFilled();
    // what has "sea" is the best, whatever the words say
    const weights = tinyTable((token) => (token === 9 ? 5 : 0));
    writeTinyPairModel(join(place.home, 'models/pairs'), weights);
    configure(place, 'reranker = "pairs"');
    const ran = await place.cuervo(search);
    expect(ran.stderr).toBe('');
    const reranked = ran.rows.map(({ text, factors }) => [
      text,
      (factors as { rerank?: number }).rerank,
    ]);
    expect(Object.fromEntries(reranked)).toEqual({
      'the deep blue sea': 1,
      'the sky is deep blue': 0,
    });
  });
});

describe('a model that cannot be used', () => {
  it.each([
    ['is not there', () => {}, /there is no model folder .*models\/tiny/],
    [
      'has files missing',
      (folder: string) => mkdirSync(folder, { recursive: true }),
      /models\/tiny has no config\.json and no tokenizer\.json/,
    ],
    [
      'is damaged',
      (folder: string) => {
        writeTinySentenceModel(folder, table);
        writeFileSync(join(folder, 'onnx/model_quantized.onnx'), 'cut off');
      },
      /the model tiny@[0-9a-f]{8} could not be loaded: /,
    ],
    [
      'makes vectors of another length',
      (folder: string) => writeTinySentenceModel(folder, table, { hidden_size: 4 }),
      /made vectors of 10 values, its config\.json says 4/,
    ],
  ])('leaves memory searched by words, loudly, when it %s', async (_, make, reason) => {
    using place = openPlace();
    make(join(place.home, 'models/tiny'));
    mkdirSync(place.home, { recursive: true });
    configure(place, 'embedder = "tiny"');
    await place.cuervo(['ask', 'remember that the sky is deep blue']);
    const ran = await place.cuervo(search);
    expect(ran.code).toBe(0);
    expect(ran.rows).toHaveLength(1);
    expect(ran.stderr).toMatch(/memory is searched by words alone: /);
    expect(ran.stderr).toMatch(reason);
    const reembed = await place.cuervo(['memory', 'reembed']);
    if (reembed.code !== 0) expect(reembed.stderr).toMatch(reason);
  });

  it('is found by doctor, with the file to correct', async () => {
    using place = await openFilled();
    configure(place, 'embedder = "tiny"');
    const ran = await place.cuervo(['doctor', '--json']);
    expect(ran.rows.find(({ name }) => name === 'memory')).toMatchObject({
      status: 'fail',
      finding: expect.stringMatching(/there is no model folder/),
      fix: expect.stringContaining('config.toml'),
    });
  });
});
