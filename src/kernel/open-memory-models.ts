import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import type { Config } from '../config/load-config.ts';
import type { Embedder } from '../contracts/embedder.ts';
import { KernelError } from '../contracts/error.ts';
import type { MemoryEmbedder, MemoryReranker } from '../contracts/memory.ts';
import type { SentenceModel } from '../contracts/sentence-model.ts';
import { once } from '../lib/once.ts';
import { memoryEmbedder } from '../memory/memory-embedder.ts';
import { readModelFolder } from '../models/onnx/read-model-folder.ts';

/** What memory makes vectors with and looks at its best hits with. The caller owns it. */
export type MemoryModels = AsyncDisposable & {
  embedder(): Promise<MemoryEmbedder>;
  /** undefined: none is wanted, or `auto` found no model */
  reranker(): Promise<MemoryReranker | undefined>;
};

type Settings = Pick<Config, 'home' | 'memory' | 'paths'>;

/** Models are looked for by the first search or flush; their processes start with their first use. */
export function openMemoryModels(config: Settings, staticEmbedder: () => Embedder): MemoryModels {
  const { memory, paths } = config;
  const opened = new AsyncDisposableStack();
  const cache = once(async () => {
    const { openVectorCache } = await import('../store/open-vector-cache.ts');
    return opened.use(openVectorCache(vectorCachePath(config.home)));
  });
  const childPath = join(paths.dist, 'onnx-child.js');
  const models = new Map<string, Promise<SentenceModel>>();
  const sentenceModel = (folder: string): Promise<SentenceModel> => {
    const open = async (): Promise<SentenceModel> => {
      const { openSentenceModel } = await import('../models/onnx/open-sentence-model.ts');
      return opened.use(await openSentenceModel({ folder, childPath }));
    };
    const model = models.get(folder) ?? open();
    models.set(folder, model);
    return model;
  };

  const embedder = async (): Promise<MemoryEmbedder> => {
    if (memory.embedder === 'static') return memoryEmbedder(staticEmbedder());
    const model = await sentenceModel(modelPath(config, memory.embedder));
    const { sentenceEmbedder } = await import('../memory/sentence-embedder.ts');
    return sentenceEmbedder(model, await cache());
  };

  const maxSim = async (folder: string): Promise<MemoryReranker> => {
    const model = await sentenceModel(folder);
    // while the tables are read
    model.warm();
    const { maxSimReranker } = await import('../memory/rerank/max-sim-reranker.ts');
    return maxSimReranker(model, await cache(), { deadlineMs: memory.rerankTimeoutMs });
  };

  const crossEncoder = async (folder: string): Promise<MemoryReranker> => {
    const { openPairModel } = await import('../models/onnx/open-pair-model.ts');
    const model = opened.use(openPairModel({ folder, childPath }));
    model.warm();
    const { crossEncoderReranker } = await import('../memory/rerank/cross-encoder-reranker.ts');
    return crossEncoderReranker(model, { deadlineMs: memory.rerankTimeoutMs });
  };

  const reranker = async (): Promise<MemoryReranker | undefined> => {
    if (memory.reranker === 'none') return undefined;
    if (memory.reranker !== 'auto' && memory.reranker !== 'maxsim') {
      const folder = modelPath(config, memory.reranker);
      const { kind } = readModelFolder(folder);
      return kind === 'pairs' ? await crossEncoder(folder) : await maxSim(folder);
    }
    const folder = sentenceFolder(config);
    if (folder !== undefined) return await maxSim(folder);
    if (memory.reranker === 'auto') return undefined;
    throw new KernelError('not-found', `there is no sentence model in ${modelsFolder(config)}`, {
      hint: 'Put one there, e.g. all-MiniLM-L6-v2, or set memory.reranker = "none" in config.toml.',
    });
  };

  return {
    embedder: retried(embedder),
    reranker: retried(reranker),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function vectorCachePath(home: string): string {
  return join(home, 'vectors.db');
}

function modelsFolder({ home }: Pick<Config, 'home'>): string {
  return join(home, 'models');
}

/** A name is a folder of `CUERVO_HOME/models`, whatever has a separator a path below `CUERVO_HOME`. */
function modelPath({ home }: Pick<Config, 'home'>, setting: string): string {
  if (setting.startsWith('~/')) return join(homedir(), setting.slice(2));
  const isPath = setting.includes('/') || setting.includes(sep);
  return resolve(home, isPath ? '.' : 'models', setting);
}

/** The embedder's own model, else the first sentence model by name that can be used. */
function sentenceFolder(config: Pick<Config, 'home' | 'memory'>): string | undefined {
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

/** Once, and again after it failed: a person may have mended it meanwhile. */
function retried<Value>(open: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= open().catch((thrown: unknown) => {
      made = undefined;
      throw thrown;
    });
    return made;
  };
}
