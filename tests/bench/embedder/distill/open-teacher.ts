import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createTokenizer, type Tokenizer } from '../../../../src/memory/static/load-embedder.ts';

/** A sentence model whose vectors are learned from. */
export type Teacher = {
  vocabulary: readonly string[];
  tokenize: Tokenizer;
  dimensions: number;
  /**
   * The states of each text's pieces.
   *
   * @param batch ids without the marks at the ends
   * @returns by text and position, the first and last for the marks; not normalised
   */
  states(batch: readonly (readonly number[])[]): Promise<Float32Array[][]>;
};

/** The part of onnxruntime-node that is used; it is not a dependency. */
type Runtime = {
  InferenceSession: {
    create(path: string, options: object): Promise<Session>;
  };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown;
};
type Session = {
  inputNames: readonly string[];
  outputNames: readonly string[];
  run(feeds: Record<string, unknown>): Promise<Record<string, { data: Float32Array }>>;
};

/**
 * @param folder with `tokenizer.json` (BERT, uncased) and `onnx/model_quantized.onnx`
 * @param runtimeFolder where `npm install onnxruntime-node` was run
 * @throws {Error} that says what to install when the runtime is missing
 */
export async function openTeacher(
  folder: string,
  runtimeFolder: string,
  threads: number,
): Promise<Teacher> {
  const runtime = loadRuntime(runtimeFolder);
  const vocabulary = readVocabulary(join(folder, 'tokenizer.json'));
  const session = await runtime.InferenceSession.create(join(folder, 'onnx/model_quantized.onnx'), {
    intraOpNumThreads: threads,
  });
  const [cls, sep] = ['[CLS]', '[SEP]'].map((mark) => vocabulary.indexOf(mark)) as [number, number];
  const states: Teacher['states'] = async (batch) => {
    const longest = 2 + Math.max(...batch.map((ids) => ids.length));
    const size = batch.length * longest;
    const [ids, mask, types] = [
      new BigInt64Array(size),
      new BigInt64Array(size),
      new BigInt64Array(size),
    ];
    for (const [row, pieces] of batch.entries()) {
      for (const [at, id] of [cls, ...pieces, sep].entries()) {
        ids[row * longest + at] = BigInt(id);
        mask[row * longest + at] = 1n;
      }
    }
    const tensor = (data: BigInt64Array) =>
      new runtime.Tensor('int64', data, [batch.length, longest]);
    const all: Record<string, unknown> = {
      input_ids: tensor(ids),
      attention_mask: tensor(mask),
      token_type_ids: tensor(types),
    };
    const feeds = Object.fromEntries(session.inputNames.map((name) => [name, all[name]]));
    const output = (await session.run(feeds))[session.outputNames[0] as string];
    if (output === undefined) throw new Error(`the model of ${folder} gives no states`);
    const dimensions = output.data.length / size;
    return batch.map((pieces, row) =>
      Array.from({ length: pieces.length + 2 }, (_, at) => {
        const from = (row * longest + at) * dimensions;
        return output.data.subarray(from, from + dimensions);
      }),
    );
  };
  const [[probe]] = (await states([[sep]])) as [[Float32Array]];
  return {
    vocabulary,
    tokenize: createTokenizer(vocabulary.join('\n')),
    dimensions: probe.length,
    states,
  };
}

function loadRuntime(folder: string): Runtime {
  try {
    return createRequire(join(folder, 'package.json'))('onnxruntime-node') as Runtime;
  } catch (thrown) {
    throw new Error(
      `onnxruntime-node is not installed in ${folder}: run "npm install --ignore-scripts onnxruntime-node" in a folder of your own and name it with --runtime`,
      { cause: thrown },
    );
  }
}

function readVocabulary(path: string): string[] {
  const { model } = JSON.parse(readFileSync(path, 'utf8')) as {
    model: { vocab: Record<string, number> };
  };
  const vocabulary: string[] = [];
  for (const [piece, id] of Object.entries(model.vocab)) vocabulary[id] = piece;
  return vocabulary;
}
