import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Config } from '../config/load-config.ts';
import { KernelError } from '../contracts/error.ts';
import { readModelFolder } from '../models/onnx/read-model-folder.ts';
import { isGguf, modelPath, modelsFolder, sentenceFolder } from './memory-model-path.ts';

type Settings = Pick<Config, 'home' | 'memory'>;

/**
 * What makes memory's vectors and looks at its best hits again, and what would do it better. Looks
 * at folders and loads nothing.
 *
 * @throws {KernelError} for a model that cannot be used, as far as its files show
 */
export function describeMemoryModels(config: Settings): string {
  return `${describeEmbedder(config)}, ${describeReranker(config)}`;
}

/** @throws {KernelError} as `describeMemoryModels` */
export function describeEmbedder(config: Settings): string {
  const { embedder } = config.memory;
  if (embedder === 'static') return "memory's vectors are of the table that comes along";
  const path = modelPath(config, embedder);
  if (isGguf(path)) return `memory's vectors are of ${ggufName(path, 'memory.embedder')}`;
  const { name, kind } = readModelFolder(path);
  const not = kind === 'sentence' ? '' : ', which scores pairs of texts and makes no vectors';
  return `memory's vectors are of ${name}${not}`;
}

/** @throws {KernelError} as `describeMemoryModels` */
export function describeReranker(config: Settings): string {
  return `the best hits are ${rerankerText(config)}`;
}

function rerankerText(config: Settings): string {
  const { reranker } = config.memory;
  if (reranker === 'none') return 'not looked at again';
  if (reranker !== 'auto' && reranker !== 'maxsim') {
    const path = modelPath(config, reranker);
    const key = 'memory.reranker';
    const name = isGguf(path) ? ggufName(path, key) : readModelFolder(path, key).name;
    return `looked at again by ${name}`;
  }
  const folder = sentenceFolder(config);
  if (folder !== undefined)
    return `looked at again by the tokens of ${readModelFolder(folder).name}`;
  return `not looked at again: a sentence model such as all-MiniLM-L6-v2 (ONNX, quantised) in ${modelsFolder(config)} would do that`;
}

function ggufName(path: string, key: 'memory.embedder' | 'memory.reranker'): string {
  if (existsSync(path)) return basename(path);
  throw new KernelError('not-found', `there is no model file ${path}`, {
    hint: `Put the model there, or name another one as ${key} in config.toml.`,
  });
}
