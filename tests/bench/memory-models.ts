import { existsSync, mkdirSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { SentenceModel } from '../../src/contracts/embedder.ts';
import type { MemoryEmbedder, MemoryReranker } from '../../src/contracts/memory.ts';
import { memoryEmbedder, sentenceEmbedder } from '../../src/memory/memory-embedder.ts';
import { maxSimReranker } from '../../src/memory/rerank/rerankers.ts';
import { loadEmbedder } from '../../src/memory/static/load-embedder.ts';
import { openSentenceModel } from '../../src/models/onnx/open-models.ts';
import { openVectorCache } from '../../src/store/open-vector-cache.ts';
import { unconfined as confine } from '../support/unconfined.ts';

const root = resolve(import.meta.dirname, '../..');
/** The ones that the reaches name; others by `--embedder FOLDER`. */
export const sentenceModels = ['all-MiniLM-L6-v2', 'bge-small-en-v1.5'] as const;
/** All vectors of both sets, and the states of what is reranked, twice. */
const cacheBytes = 4e9;

export type BenchModels = AsyncDisposable & {
  embedder(name: string): Promise<MemoryEmbedder>;
  /** undefined where the model's folder is not there */
  reranker(model: string, candidates: number): Promise<MemoryReranker | undefined>;
};

/** @returns the folder of a sentence model, or undefined where it is not */
export function findSentenceModel(name: string): string | undefined {
  const folder = process.env.CUERVO_TEST_MODELS ?? join(root, '../shared/models');
  const path = resolve(folder, name);
  return existsSync(join(path, 'config.json')) ? path : undefined;
}

/** Models with a cache in the folder for temporary files: a second run is quick. */
export function openBenchModels(): BenchModels {
  const opened = new AsyncDisposableStack();
  const folder = join(tmpdir(), 'cuervo-bench-vectors');
  mkdirSync(folder, { recursive: true });
  const cache = opened.use(openVectorCache(join(folder, 'vectors.db'), { maxBytes: cacheBytes }));
  const models = new Map<string, Promise<SentenceModel>>();
  const open = async (folder: string): Promise<SentenceModel> =>
    opened.use(
      await openSentenceModel({
        folder,
        childPath: join(root, 'src/models/onnx/child.ts'),
        confine,
        threads: Math.max(1, availableParallelism() - 1),
      }),
    );
  const modelOf = (folder: string): Promise<SentenceModel> => {
    const model = models.get(folder) ?? open(folder);
    models.set(folder, model);
    return model;
  };
  return {
    embedder: async (name) => {
      if (name === 'static') {
        const table = loadEmbedder(join(root, 'src/memory/static/static-embedder.ste'));
        return memoryEmbedder(table);
      }
      return sentenceEmbedder(await modelOf(findSentenceModel(name) ?? name), cache);
    },
    reranker: async (name, candidates) => {
      const folder = findSentenceModel(name);
      if (folder === undefined) return undefined;
      return maxSimReranker(await modelOf(folder), cache, { deadlineMs: 600_000, candidates });
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
