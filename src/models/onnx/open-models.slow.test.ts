import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  tinyTable,
  tinyWords,
  writeTinyPairModel,
  writeTinySentenceModel,
} from '../../../tests/fixtures/tiny-model.ts';
import { unconfined as confine } from '../../../tests/support/unconfined.ts';
import { openPairModel, openSentenceModel } from './open-models.ts';

const childPath = join(import.meta.dirname, 'child.ts');
const { signal } = new AbortController();
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-onnx-'));
  folders.push(folder);
  return folder;
}

const table = tinyTable((token) => [Math.cos(token), Math.sin(token), token / 10, 1]);
const rowOf = (word: string) => table[tinyWords.indexOf(word as 'red')] as number[];

function meanOf(words: readonly string[]): number[] {
  const rows = words.map(rowOf);
  const sum = [0, 1, 2, 3].map((at) => rows.reduce((total, row) => total + (row[at] ?? 0), 0));
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
}

function closeTo(actual: Float32Array | undefined, expected: readonly number[]): void {
  expect(actual?.length).toBe(expected.length);
  for (const [at, value] of expected.entries()) expect(actual?.[at]).toBeCloseTo(value, 5);
}

describe('openSentenceModel()', () => {
  it('gives the mean of the states of tokens, of length 1, in the order of the texts', async () => {
    const folder = newFolder();
    writeTinySentenceModel(folder, table);
    await using model = await openSentenceModel({ folder, childPath, confine });
    const texts = ['red apple', 'deep blue sea', ...Array<string>(9).fill('sky')];
    const vectors = await model.embed(texts, { signal });
    expect(vectors).toHaveLength(11);
    closeTo(vectors[0], meanOf(['[CLS]', 'red', 'apple', '[SEP]']));
    closeTo(vectors[1], meanOf(['[CLS]', 'deep', 'blue', 'sea', '[SEP]']));
    closeTo(vectors[10], meanOf(['[CLS]', 'sky', '[SEP]']));
  });

  it('pools and prefixes as the files of the folder say', async () => {
    const folder = newFolder();
    writeTinySentenceModel(folder, table);

    mkdirSync(join(folder, '1_Pooling'));
    writeFileSync(join(folder, '1_Pooling/config.json'), '{"pooling_mode_cls_token": true}');
    await using cls = await openSentenceModel({ folder, childPath, confine });
    const [first] = await cls.embed(['red apple'], { signal });
    closeTo(first, meanOf(['[CLS]']));
    rmSync(join(folder, '1_Pooling'), { recursive: true });
    const prompts = JSON.stringify({ prompts: { query: 'deep ', document: 'blue ' } });
    writeFileSync(join(folder, 'config_sentence_transformers.json'), prompts);
    await using model = await openSentenceModel({ folder, childPath, confine });
    expect(model.name).not.toBe(cls.name);
    const [question] = await model.embed(['sky'], { signal, isQuery: true });
    const [text] = await model.embed(['sky'], { signal });
    closeTo(question, meanOf(['[CLS]', 'deep', 'sky', '[SEP]']));
    closeTo(text, meanOf(['[CLS]', 'blue', 'sky', '[SEP]']));
  });

  it('gives states of all tokens of a text, and of a question those of its words', async () => {
    const folder = newFolder();
    writeTinySentenceModel(folder, table);
    await using model = await openSentenceModel({ folder, childPath, confine });
    const [text] = await model.tokenStates(['red apple'], { signal, maxTokens: 64 });
    expect(text?.scales).toHaveLength(4);
    const red = rowOf('red');
    const scale = text?.scales[1] ?? 0;
    const state = Array.from(text?.values.subarray(4, 8) ?? [], (value) => value * scale);
    for (const [at, value] of state.entries()) {
      expect(value).toBeCloseTo((red[at] ?? 0) / Math.hypot(...red), 1);
    }
    const [cut] = await model.tokenStates(['red apple'], { signal, maxTokens: 3 });
    expect(cut?.scales).toHaveLength(3);
    const question = await model.queryStates('deep sky', { signal });
    expect(question.pieces).toEqual(['deep', 'sky']);
    expect(question.states.scales).toHaveLength(2);
  });

  it('says so when the vectors are not as long as the config says', async () => {
    const folder = newFolder();
    writeTinySentenceModel(folder, table, { hidden_size: 7 });
    await using model = await openSentenceModel({ folder, childPath, confine });
    await expect(model.embed(['red'], { signal })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/made vectors of 4 values, its config.json says 7$/),
    });
  });

  it('says so when the model file is none', async () => {
    const folder = newFolder();
    writeTinySentenceModel(folder, table);
    writeFileSync(join(folder, 'onnx/model_quantized.onnx'), 'no model at all');
    await using model = await openSentenceModel({ folder, childPath, confine });
    await expect(model.embed(['red'], { signal })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        /^the model cuervo-onnx-\w+@\w{8} could not be loaded: .*protobuf/i,
      ),
    });
  });

  it('refuses a model that scores pairs', async () => {
    const folder = newFolder();
    writeTinyPairModel(
      folder,
      tinyTable(() => 1),
    );
    await expect(openSentenceModel({ folder, childPath, confine })).rejects.toMatchObject({
      code: 'invalid-argument',
      hint: expect.stringContaining('memory.reranker'),
    });
  });
});

/** A process that behaves, answers the opening, and then does as it is told. */
function otherChild(folder: string, then: string): string {
  const path = join(folder, 'child.mjs');
  writeFileSync(
    path,
    `import { writeSync } from 'node:fs';
const send = (message) => {
  const json = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(8);
  head.writeUInt32LE(json.length, 0);
  writeSync(3, Buffer.concat([head, json]));
};
process.stdin.on('data', (piece) => {
  const message = JSON.parse(piece.toString());
  if (message.type === 'open') send({ type: 'ready', id: message.id, dimensions: 4 });
  else { ${then} }
});
`,
  );
  return path;
}

describe('openSentenceModel() with a process that fails', () => {
  const failing = async (then: string, timeouts: { workTimeoutMs?: number } = {}) => {
    const folder = newFolder();
    writeTinySentenceModel(folder, table);
    const child = otherChild(folder, then);
    return {
      folder,
      model: await openSentenceModel({ folder, childPath: child, confine, ...timeouts }),
    };
  };

  it('reports a crash with the last words, and starts another for the next text', async () => {
    const { folder, model } = await failing("console.error('out of luck'); process.abort();");
    await using _ = model;
    await expect(model.embed(['red'], { signal })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/ended \(SIGABRT\)/),
      hint: expect.stringContaining('cuervo doctor'),
    });
    otherChild(folder, "send({ type: 'failed', id: message.id, message: 'second process' });");
    await expect(model.embed(['red'], { signal })).rejects.toThrow('second process');
  });

  it('ends a process that hangs', async () => {
    const { model } = await failing('for (;;);', { workTimeoutMs: 300 });
    await using _ = model;
    await expect(model.embed(['red'], { signal })).rejects.toThrow(
      /did not answer within 0.3 s and was ended/,
    );
  });

  it('does not believe bytes that are not a frame of ours', async () => {
    const { model } = await failing('writeSync(3, Buffer.alloc(64, 255));');
    await using _ = model;
    await expect(model.embed(['red'], { signal })).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('lets a caller go who gives up', async () => {
    const { model } = await failing('');
    await using _ = model;
    const abort = new AbortController();
    const work = model.embed(['red'], { signal: abort.signal });
    abort.abort();
    await expect(work).rejects.toMatchObject({ code: 'canceled' });
  });
});

describe('openPairModel()', () => {
  it('scores question and text as the graph says', async () => {
    const folder = newFolder();
    const weights = tinyTable((token) => token * 0.25 - 1);
    writeTinyPairModel(folder, weights);
    await using model = openPairModel({ folder, childPath, confine });
    const scores = await model.score('blue sky', ['red apple', 'deep sea sky', ''], {
      signal,
      maxTokens: 64,
    });
    const sum = (words: readonly string[]) =>
      words.reduce((total, word) => total + (weights[tinyWords.indexOf(word as 'red')] ?? 0), 0);
    const plain = (text: readonly string[]) =>
      sum(['[CLS]', 'blue', 'sky', '[SEP]']) + 3 * sum([...text, '[SEP]']);
    const expected = [plain(['red', 'apple']), plain(['deep', 'sea', 'sky']), plain([])];
    for (const [at, value] of expected.entries()) expect(scores[at]).toBeCloseTo(value, 4);
  });
});
