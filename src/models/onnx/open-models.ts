import { availableParallelism } from 'node:os';
import type { PairModel, SentenceModel, TokenStates } from '../../contracts/embedder.ts';
import { KernelError } from '../../contracts/error.ts';
import { keepProcess } from '../spawn-model-process.ts';
import { openOnnxProcess, type ProcessOptions, type Reply } from './open-onnx-process.ts';
import { readModelFolder } from './parse-model-folder.ts';

/** Characters of a text; models of 512 tokens never read more. */
const maxCharacters = 6_000;

/**
 * A cross-encoder of a folder. Its process starts with the first use, or `warm()`.
 *
 * @throws {KernelError} as `readModelFolder`, before any process starts
 */
export function openPairModel(options: OnnxOptions): PairModel {
  const { name, folder, file } = readModelFolder(options.folder);
  const threads = options.threads ?? Math.max(1, availableParallelism() - 1);
  const open = { type: 'open', folder, file, kind: 'pairs', threads } as const;
  const kept = keepProcess(name, (closing) => openOnnxProcess(open, { ...options, name, closing }));
  const cut = (text: string): string => text.slice(0, maxCharacters).toWellFormed();
  return {
    name,
    warm: async () => void (await kept.live()),
    score: async (question, texts, { signal, maxTokens }) => {
      const request = {
        type: 'score',
        question: cut(question),
        texts: texts.map(cut),
        maxTokens,
      } as const;
      const { message } = await (await kept.live(signal)).ask(request, { signal });
      if (message.type === 'scores' && message.scores.length === texts.length)
        return message.scores;
      throw new KernelError('unavailable', `the model ${name} returned an invalid answer`);
    },
    [Symbol.asyncDispose]: kept.dispose,
  };
}

export type OnnxOptions = Omit<ProcessOptions, 'name'> & {
  /** folder of the model */
  folder: string;
  /** default: cores − 1, at least 1 */
  threads?: number;
};

/**
 * A few texts at a time, so that a caller who gives up, or a question in between, does not wait
 * long.
 */
const batchTexts = 8;
/** Longer texts are cut before they are tokenised: tokens have some four characters. */
const charactersPerToken = 12;

/**
 * A sentence model of a folder. Its process starts with the first use, or `warm()`, and again when
 * it ended.
 *
 * @throws {KernelError} as `readModelFolder`, before any process starts
 */
export async function openSentenceModel(options: OnnxOptions): Promise<SentenceModel> {
  const model = readModelFolder(options.folder);
  if (model.kind === 'pairs') {
    const detail = `${model.folder} is a model that scores pairs of texts and makes no vectors`;
    throw new KernelError('invalid-argument', detail, {
      hint: 'It can be memory.reranker in config.toml; memory.embedder wants a sentence model.',
    });
  }
  const { name, pooling, maxTokens, prefixes, use } = model;
  const threads = options.threads ?? Math.max(1, availableParallelism() - 1);
  const { folder, file } = model;
  const open = { type: 'open', folder, file, kind: 'sentence', threads } as const;
  const kept = keepProcess(name, (closing) => openOnnxProcess(open, { ...options, name, closing }));
  const cut = (text: string, tokens: number): string =>
    text.slice(0, tokens * charactersPerToken).toWellFormed();
  // Nearly every config says it; otherwise the model has to be asked.
  const dimensions = model.dimensions ?? (await kept.live()).dimensions;

  const inBatches = async <Value>(
    texts: readonly string[],
    ask: (batch: readonly string[]) => Promise<readonly Value[]>,
  ): Promise<Value[]> => {
    const made: Value[] = [];
    for (let at = 0; at < texts.length; at += batchTexts) {
      const batch = texts.slice(at, at + batchTexts);
      const values = await ask(batch);
      if (values.length !== batch.length) throw wrongCount(name, values.length, batch.length);
      made.push(...values);
    }
    return made;
  };

  return {
    name,
    dimensions,
    use,
    warm: async () => void (await kept.live()),
    embed: (texts, { signal, isQuery = false }) => {
      const prefix = isQuery ? prefixes.query : prefixes.text;
      const whole = texts.map((text) => cut(prefix + text, maxTokens));
      return inBatches(whole, async (batch) => {
        const request = { type: 'embed', texts: batch, pooling, maxTokens } as const;
        return vectorsOf(
          await (await kept.live(signal)).ask(request, { signal }),
          name,
          dimensions,
        );
      });
    },
    tokenStates: (texts, { signal, maxTokens: wanted }) => {
      const tokens = Math.min(wanted, maxTokens);
      const whole = texts.map((text) => cut(text, tokens));
      return inBatches(whole, async (batch) => {
        const request = {
          type: 'states',
          texts: batch,
          maxTokens: tokens,
          isQuery: false,
        } as const;
        return statesOf(await (await kept.live(signal)).ask(request, { signal }), name);
      });
    },
    queryStates: async (text, { signal }) => {
      const texts = [cut(prefixes.query + text, maxTokens)];
      const request = { type: 'states', texts, maxTokens, isQuery: true } as const;
      const reply = await (await kept.live(signal)).ask(request, { signal });
      const [states] = statesOf(reply, name);
      const { message } = reply;
      if (states === undefined || message.type !== 'states') throw wrongCount(name, 0, 1);
      return { pieces: message.pieces, states };
    },
    [Symbol.asyncDispose]: kept.dispose,
  };
}

function vectorsOf({ message, bytes }: Reply, name: string, dimensions: number): Float32Array[] {
  if (message.type !== 'vectors') throw wrongAnswer(name);
  if (message.dimensions !== dimensions) {
    const detail = `the model ${name} made vectors of ${message.dimensions} values, its config.json says ${dimensions}`;
    throw new KernelError('unavailable', detail, { hint: 'Download the model again.' });
  }
  const values = floatsOf(bytes, 0, Math.floor(bytes.length / 4));
  const count = values.length / dimensions;
  return Array.from({ length: count }, (_, at) =>
    values.slice(at * dimensions, (at + 1) * dimensions),
  );
}

function statesOf({ message, bytes }: Reply, name: string): TokenStates[] {
  if (message.type !== 'states') throw wrongAnswer(name);
  const { dimensions } = message;
  let at = 0;
  return message.tokens.map((tokens) => {
    if (at + tokens * (4 + dimensions) > bytes.length) throw wrongAnswer(name);
    const scales = floatsOf(bytes, at, tokens);
    at += tokens * 4;
    const values = new Int8Array(bytes.slice(at, at + tokens * dimensions).buffer);
    at += tokens * dimensions;
    return { dimensions, scales, values };
  });
}

function floatsOf(bytes: Uint8Array, from: number, count: number): Float32Array {
  return new Float32Array(bytes.slice(from, from + count * 4).buffer);
}

function wrongAnswer(name: string): KernelError {
  return new KernelError('unavailable', `the model ${name} returned an invalid answer`);
}

function wrongCount(name: string, got: number, wanted: number): KernelError {
  const detail = `the model ${name} returned ${got} results for ${wanted} texts`;
  return new KernelError('unavailable', detail);
}
