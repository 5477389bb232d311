import { availableParallelism } from 'node:os';
import { KernelError } from '../../contracts/error.ts';
import type { PairModel } from '../../contracts/sentence-model.ts';
import { keepProcess } from '../keep-process.ts';
import { openOnnxProcess } from './open-onnx-process.ts';
import type { OnnxOptions } from './open-sentence-model.ts';
import { readModelFolder } from './read-model-folder.ts';

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
