import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packagesFolder } from '../../config/paths.ts';
import type { Config } from '../../contracts/config.ts';
import type { Confine } from '../../contracts/confined-program.ts';
import type { Embedder, PairModel, SentenceModel, VectorModel } from '../../contracts/embedder.ts';
import { KernelError } from '../../contracts/error.ts';
import type { MemoryEmbedder, MemoryReranker } from '../../contracts/memory.ts';
import { once } from '../../lib/memo.ts';
import { findPackage } from '../../lib/parts/optional-part.ts';
import { llamaPackage } from '../../lib/parts/parts.ts';
import { memoryEmbedder, sentenceEmbedder } from '../../memory/memory-embedder.ts';
import { readModelFolder } from '../../models/onnx/parse-model-folder.ts';
import { isGguf, modelPath, modelsFolder, sentenceFolder } from './memory-model-path.ts';

/** The models of memory: one for vectors, one to rerank hits. The caller owns it. */
export type MemoryModels = AsyncDisposable & {
  embedder(): Promise<MemoryEmbedder>;
  /** undefined: no reranker is configured, or `auto` found no model */
  reranker(): Promise<MemoryReranker | undefined>;
  /** a sentence model for facts, where another embedder makes the vectors of the tables */
  meaning(): Promise<MemoryEmbedder | undefined>;
  /** Removes all kept vectors of texts, so that nothing of a forgotten text stays. */
  forget(): Promise<void>;
};

type Settings = Pick<Config, 'home' | 'memory' | 'paths'>;

/** Models are looked for by the first search or flush; their processes start with their first use. */
export function openMemoryModels(
  config: Settings,
  ports: { staticEmbedder: () => Embedder; confine: Confine },
): MemoryModels {
  const { staticEmbedder, confine } = ports;
  const { memory, paths } = config;
  const opened = new AsyncDisposableStack();
  const cache = once(async () => {
    const { openVectorCache } = await import('../../store/open-vector-cache.ts');
    return opened.use(openVectorCache(vectorCachePath(config.home)));
  });
  const childPath = join(paths.dist, 'onnx-child.js');
  /** @throws {KernelError} `unavailable` where the part "sentence" was not added */
  const library = (): string[] => {
    const places = { root: paths.root, packages: packagesFolder(config.home) };
    return [findPackage('@huggingface/transformers', places).packages];
  };
  const models = new Map<string, Promise<SentenceModel>>();
  const sentenceModel = (folder: string): Promise<SentenceModel> => {
    const open = async (): Promise<SentenceModel> => {
      const { openSentenceModel } = await import('../../models/onnx/open-models.ts');
      return opened.use(
        await openSentenceModel({ folder, childPath, packages: library(), confine }),
      );
    };
    const model = models.get(folder) ?? open();
    models.set(folder, model);
    return model;
  };

  const gguf = () => ({
    childPath: join(paths.dist, 'llama-child.js'),
    packages: [llamaPackage()],
  });
  const vectorModel = async (setting: string): Promise<VectorModel> => {
    const path = modelPath(config, setting);
    if (!isGguf(path)) return await sentenceModel(path);
    const { openGgufVectors } = await import('../../models/open-gguf-texts.ts');
    return opened.use(await openGgufVectors({ path, ...gguf(), confine }));
  };

  const embedder = async (): Promise<MemoryEmbedder> => {
    if (memory.embedder === 'static') return memoryEmbedder(staticEmbedder());
    const model = await vectorModel(memory.embedder);
    return sentenceEmbedder(model, await cache());
  };

  const maxSim = async (folder: string): Promise<MemoryReranker> => {
    const model = await sentenceModel(folder);
    const { maxSimReranker } = await import('../../memory/rerank/rerankers.ts');
    return maxSimReranker(model, await cache(), { deadlineMs: memory.rerankTimeoutMs });
  };

  const pairModel = async (path: string): Promise<PairModel> => {
    if (isGguf(path)) {
      const { openGgufRanker } = await import('../../models/open-gguf-texts.ts');
      return openGgufRanker({ path, ...gguf(), confine });
    }
    const { openPairModel } = await import('../../models/onnx/open-models.ts');
    return openPairModel({ folder: path, childPath, packages: library(), confine });
  };

  const crossEncoder = async (path: string): Promise<MemoryReranker> => {
    const model = opened.use(await pairModel(path));
    const { crossEncoderReranker } = await import('../../memory/rerank/rerankers.ts');
    return crossEncoderReranker(model, { deadlineMs: memory.rerankTimeoutMs });
  };

  const reranker = async (): Promise<MemoryReranker | undefined> => {
    if (memory.reranker === 'none') return undefined;
    if (memory.reranker !== 'auto' && memory.reranker !== 'maxsim') {
      const folder = modelPath(config, memory.reranker);
      const kind = isGguf(folder) ? 'pairs' : readModelFolder(folder, 'memory.reranker').kind;
      return kind === 'pairs' ? await crossEncoder(folder) : await maxSim(folder);
    }
    const folder = sentenceFolder(config);
    if (folder !== undefined) return await maxSim(folder);
    if (memory.reranker === 'auto') return undefined;
    throw new KernelError('not-found', `there is no sentence model in ${modelsFolder(config)}`, {
      hint: 'Put one there, e.g. all-MiniLM-L6-v2, or set memory.reranker = "none" in config.toml.',
    });
  };

  const meaning = async (): Promise<MemoryEmbedder | undefined> => {
    if (memory.embedder !== 'static' || memory.reranker === 'none') return undefined;
    const folder = sentenceFolder(config);
    if (folder === undefined) return undefined;
    return sentenceEmbedder(await sentenceModel(folder), await cache());
  };

  return {
    meaning: retried(meaning),
    embedder: retried(embedder),
    reranker: retried(reranker),
    forget: async () => {
      if (existsSync(vectorCachePath(config.home))) (await cache()).clear();
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function vectorCachePath(home: string): string {
  return join(home, 'vectors.db');
}

/** Opens once, but again after a failure, which a person may have fixed meanwhile. */
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
