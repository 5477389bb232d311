import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readModelFolder } from './parse-model-folder.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const whole = {
  'config.json': '{"model_type":"bert","hidden_size":8,"max_position_embeddings":512}',
  'tokenizer.json': '{}',
  'onnx/model_quantized.onnx': 'weights',
};

function folderWith(files: Readonly<Record<string, string>>, name = 'some-model'): string {
  const root = mkdtempSync(join(tmpdir(), 'cuervo-folder-'));
  folders.push(root);
  for (const [file, text] of Object.entries(files)) {
    const path = join(root, name, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return join(root, name);
}

describe('readModelFolder()', () => {
  it('takes the mean and 256 tokens where nothing is said', () => {
    expect(readModelFolder(folderWith(whole))).toMatchObject({
      file: { subfolder: 'onnx', dtype: 'q8' },
      kind: 'sentence',
      dimensions: 8,
      pooling: 'mean',
      maxTokens: 256,
      prefixes: { query: '', text: '' },
    });
  });

  it('takes what is known of a model by its name', () => {
    const found = readModelFolder(folderWith(whole, 'bge-small-en-v1.5'));
    expect(found).toMatchObject({ pooling: 'cls', use: { cosineFloor: 0.4 } });
  });

  it('takes what its own files say, and no more tokens than it was trained on', () => {
    const found = readModelFolder(
      folderWith({
        ...whole,
        '1_Pooling/config.json': '{"pooling_mode_lasttoken":true}',
        'sentence_bert_config.json': '{"max_seq_length":100000,"do_lower_case":false}',
        'config_sentence_transformers.json': '{"prompts":{"query":"q: ","passage":"p: "}}',
      }),
    );
    expect(found).toMatchObject({
      pooling: 'last',
      maxTokens: 512,
      prefixes: { query: 'q: ', text: 'p: ' },
    });
  });

  it('names a model by what its vectors depend on', () => {
    const name = (files: Readonly<Record<string, string>>) =>
      readModelFolder(folderWith(files)).name;
    expect(name(whole)).toMatch(/^some-model@[0-9a-f]{8}$/);
    expect(name(whole)).toBe(name(whole));
    expect(name({ ...whole, 'onnx/model_quantized.onnx': 'others' })).not.toBe(name(whole));
    expect(name({ ...whole, '1_Pooling/config.json': '{"pooling_mode_cls_token":true}' })).not.toBe(
      name(whole),
    );
  });

  it('takes a model that is not quantised where there is no other', () => {
    const { 'onnx/model_quantized.onnx': weights, ...rest } = whole;
    const found = readModelFolder(folderWith({ ...rest, 'model.onnx': weights }));
    expect(found.file).toEqual({ subfolder: '', dtype: 'fp32' });
  });

  it('names the folder that is not there, and every file that is missing', () => {
    expect(() => readModelFolder('/nowhere/model')).toThrow(
      'there is no model folder /nowhere/model',
    );
    try {
      readModelFolder('/nowhere/model', 'memory.reranker');
      expect.unreachable('it was taken');
    } catch (thrown) {
      expect(thrown).toHaveProperty('hint', expect.stringContaining('as memory.reranker in'));
    }
    const empty = folderWith({ 'README.md': '' });
    expect(() => readModelFolder(empty)).toThrow(
      `the model folder ${empty} has no config.json and no tokenizer.json and no onnx/model_quantized.onnx (or onnx/model.onnx)`,
    );
  });

  it.each([
    ['config.json', '{"model_type":'],
    ['config.json', '{"model_type":"bert","hidden_size":-1}'],
    ['1_Pooling/config.json', '{"pooling_mode_cls_token":"yes"}'],
  ])('names a %s that is wrong: %s', (file, text) => {
    const folder = folderWith({ ...whole, [file]: text });
    expect(() => readModelFolder(folder)).toThrow(`${join(folder, file)} cannot be used: `);
  });

  it.each([
    ['config.json', 1024 ** 2 + 1],
    ['1_Pooling/config.json', 200 * 1024 ** 3],
    ['tokenizer.json', 200 * 1024 ** 3],
    ['tokenizer_config.json', 128 * 1024 ** 2 + 1],
  ])('reads no %s of %i bytes', (file, size) => {
    const folder = folderWith({ ...whole, [file]: '{}' });
    truncateSync(join(folder, file), size);
    expect(() => readModelFolder(folder)).toThrow(`it has ${size} bytes, limit `);
  });
});
