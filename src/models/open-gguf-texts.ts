import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, resolve } from 'node:path';
import type { Confine } from '../contracts/confined-program.ts';
import type { PairModel, VectorModel } from '../contracts/embedder.ts';
import { KernelError } from '../contracts/error.ts';
import { addEnds } from '../lib/files/read-file.ts';
import { checkGguf } from './llama/check-gguf.ts';
import { openChild } from './llama/open-child.ts';
import { maxTextTokens, type TextsRequest } from './llama/parse-protocol.ts';
import { keepProcess } from './spawn-model-process.ts';

export type GgufTextsOptions = {
  /** a GGUF file */
  path: string;
  /** entry of the model process: its built bundle, or `src/models/llama/child.ts` */
  childPath: string;
  /** the folder of its native code; see `llamaPackage()` */
  packages?: readonly string[];
  confine: Confine;
};

/** Tokens have some four characters; more than this is never read. */
const maxCharacters = maxTextTokens * 12;
const batchTexts = 8;

/**
 * A GGUF model that makes vectors of texts, in a process of its own. Shares are those of a sentence
 * model in general: none was measured.
 *
 * @throws {KernelError} as `openLlama`
 */
export async function openGgufVectors(options: GgufTextsOptions): Promise<VectorModel> {
  const kept = keepChild(options, 'embed');
  const { dimensions } = await kept.live();
  return {
    name: kept.name,
    dimensions,
    use: { alpha: 0.5, cosineFloor: 0, perhapsCosine: 0.5, sureCosine: 0.7, rerankShare: 0.43 },
    embed: async (texts, { signal }) => {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += batchTexts) {
        const batch = texts.slice(at, at + batchTexts).map(cut);
        const { vectors: made } = await kept.work({ type: 'embed', texts: batch }, signal);
        if (made.length !== batch.length) throw wrongCount(kept.name, made.length, batch.length);
        vectors.push(...made.map((vector) => checked(vector, dimensions, kept.name)));
      }
      return vectors;
    },
    [Symbol.asyncDispose]: kept.dispose,
  };
}

/**
 * A GGUF model that ranks texts for a question, in a process of its own, which starts with the
 * first use. One that was not made for ranking is refused there.
 *
 * @throws {KernelError} `not-found` or `invalid-argument` for a path that is not a file
 */
export function openGgufRanker(options: GgufTextsOptions): PairModel {
  const kept = keepChild(options, 'rank');
  return {
    name: kept.name,
    warm: async () => void (await kept.live()),
    score: async (question, texts, { signal }) => {
      const request = { type: 'rank', question: cut(question), texts: texts.map(cut) } as const;
      const { scores } = await kept.work(request, signal);
      if (scores.length !== texts.length) throw wrongCount(kept.name, scores.length, texts.length);
      return scores;
    },
    [Symbol.asyncDispose]: kept.dispose,
  };
}

/** The process of a model, and what it answers to one request. */
function keepChild(options: GgufTextsOptions, use: 'embed' | 'rank') {
  const path = resolve(options.path);
  checkGguf(path);
  const name = `${basename(path)}@${digestOf(path).slice(0, 8)}`;
  const { live, dispose } = keepProcess(name, () =>
    openChild({
      childPath: options.childPath,
      packages: options.packages,
      confine: options.confine,
      path,
      contextTokens: maxTextTokens,
      threads: Math.max(1, availableParallelism() - 1),
      use,
    }),
  );
  return {
    name,
    live,
    work: async (request: TextsRequest, signal: AbortSignal) => {
      const vectors: Float32Array[] = [];
      const scores: number[] = [];
      for await (const reply of (await live(signal)).work(request, { signal })) {
        if (reply.type === 'vector') vectors.push(vectorOf(reply.vector));
        else scores.push(...reply.scores);
      }
      return { vectors, scores };
    },
    dispose,
  };
}

function cut(text: string): string {
  return text.slice(0, maxCharacters).toWellFormed();
}

function vectorOf(base64: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  const vector = new Float32Array(bytes.buffer, 0, Math.floor(bytes.length / 4));
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((value) => value / length) : vector;
}

function checked(vector: Float32Array, dimensions: number, name: string): Float32Array {
  if (vector.length === dimensions && vector.every(Number.isFinite)) return vector;
  const detail = `the model ${name} made a vector of ${vector.length} values, not ${dimensions} numbers`;
  throw new KernelError('unavailable', detail);
}

function wrongCount(name: string, got: number, wanted: number): KernelError {
  return new KernelError(
    'unavailable',
    `the model ${name} returned ${got} results for ${wanted} texts`,
  );
}

/** Both ends and the length tell two files apart without reading gigabytes. */
function digestOf(path: string): string {
  const hash = createHash('sha256');
  const { size } = statSync(path);
  hash.update(`${size}\0`);
  addEnds(hash, path, size);
  return hash.digest('hex');
}
