import { basename } from 'node:path';
import type { Config } from '../config/load-config.ts';
import { readModelFolder } from '../models/onnx/read-model-folder.ts';
import { isGguf, modelPath, modelsFolder, sentenceFolder } from './memory-model-path.ts';

/**
 * What makes memory's vectors and looks at its best hits again, and what would do it better. Looks
 * at folders and loads nothing.
 *
 * @throws {KernelError} for a model that cannot be used, as far as its files show
 */
export function describeMemoryModels(config: Pick<Config, 'home' | 'memory'>): string {
  const { embedder, reranker } = config.memory;
  const vectors =
    embedder === 'static'
      ? 'the table that comes along'
      : nameOf(modelPath(config, embedder), 'sentence');
  return `memory's vectors are of ${vectors}, the best hits are ${describeReranker(config, reranker)}`;
}

function describeReranker(config: Pick<Config, 'home' | 'memory'>, reranker: string): string {
  if (reranker === 'none') return 'not looked at again';
  if (reranker !== 'auto' && reranker !== 'maxsim') {
    return `looked at again by ${nameOf(modelPath(config, reranker))}`;
  }
  const folder = sentenceFolder(config);
  if (folder !== undefined) return `looked at again by the tokens of ${nameOf(folder)}`;
  return `not looked at again: a sentence model such as all-MiniLM-L6-v2 (ONNX, quantised) in ${modelsFolder(config)} would do that`;
}

function nameOf(path: string, kind?: 'sentence'): string {
  if (isGguf(path)) return basename(path);
  const model = readModelFolder(path);
  return kind === undefined || model.kind === kind
    ? model.name
    : `${model.name}, which scores pairs of texts and makes no vectors`;
}
