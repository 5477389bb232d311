import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import type { Config } from '../../contracts/config.ts';
import { KernelError } from '../../contracts/error.ts';
import { expandHome } from '../../lib/files/paths.ts';
import { readModelFolder } from '../../models/onnx/parse-model-folder.ts';

export function modelsFolder({ home }: Pick<Config, 'home'>): string {
  return join(home, 'models');
}

export function isGguf(path: string): boolean {
  return path.toLowerCase().endsWith('.gguf');
}

/**
 * A plain name means a folder in `CUERVO_HOME/models`; with a separator it is a path from
 * `CUERVO_HOME`.
 */
export function modelPath({ home }: Pick<Config, 'home'>, setting: string): string {
  const isPath = setting.includes('/') || setting.includes(sep);
  return resolve(home, isPath ? '.' : 'models', expandHome(setting));
}

/** The embedder's own model, else the first sentence model by name that can be used. */
export function sentenceFolder(config: Pick<Config, 'home' | 'memory'>): string | undefined {
  const { embedder } = config.memory;
  const folder = modelsFolder(config);
  const folders =
    embedder !== 'static'
      ? [modelPath(config, embedder)]
      : existsSync(folder)
        ? readdirSync(folder)
            .sort()
            .map((name) => join(folder, name))
        : [];
  return folders.find((path) => {
    try {
      return readModelFolder(path).kind === 'sentence';
    } catch {
      return false; // something else lies there
    }
  });
}

type Settings = Pick<Config, 'home' | 'memory'>;

/**
 * The models that make memory's vectors and rerank its hits, and better ones. Looks at folders and
 * loads nothing.
 *
 * @throws {KernelError} for a model that cannot be used, as far as its files show
 */
export function describeMemoryModels(config: Settings): string {
  return `${describeEmbedder(config)}, ${describeReranker(config)}`;
}

/** @throws {KernelError} as `describeMemoryModels` */
export function describeEmbedder(config: Settings): string {
  const { embedder } = config.memory;
  if (embedder === 'static') return "memory's vectors come from the built-in table";
  const path = modelPath(config, embedder);
  if (isGguf(path)) return `memory's vectors come from ${ggufName(path, 'memory.embedder')}`;
  const { name, kind } = readModelFolder(path);
  const not = kind === 'sentence' ? '' : ', which scores pairs of texts and makes no vectors';
  return `memory's vectors come from ${name}${not}`;
}

/** @throws {KernelError} as `describeMemoryModels` */
export function describeReranker(config: Settings): string {
  return `the best hits are ${rerankerText(config)}`;
}

function rerankerText(config: Settings): string {
  const { reranker } = config.memory;
  if (reranker === 'none') return 'not reranked';
  if (reranker !== 'auto' && reranker !== 'maxsim') {
    const path = modelPath(config, reranker);
    const key = 'memory.reranker';
    const name = isGguf(path) ? ggufName(path, key) : readModelFolder(path, key).name;
    return `reranked by ${name}`;
  }
  const folder = sentenceFolder(config);
  if (folder !== undefined) return `reranked by the tokens of ${readModelFolder(folder).name}`;
  return `not reranked: ${sentenceModelGives(config)}`;
}

/**
 * The gain of a search by a sentence model; see docs/memory-quality.md.
 *
 * @returns one sentence without a full stop
 */
function sentenceModelGives(config: Pick<Config, 'home'>): string {
  return `a sentence model such as all-MiniLM-L6-v2 (ONNX, quantised) in ${modelsFolder(config)} would rank them again, and put a fact that is asked for in other words among the first three in 8 of 10 searches instead of 5; its runtime comes with: cuervo add sentence`;
}

function ggufName(path: string, key: 'memory.embedder' | 'memory.reranker'): string {
  if (existsSync(path)) return basename(path);
  throw new KernelError('not-found', `there is no model file ${path}`, {
    hint: `Put the model there, or name another one as ${key} in config.toml.`,
  });
}
