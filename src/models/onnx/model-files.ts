import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { VectorUse } from '../../contracts/embedder.ts';
import type { ModelFile, Pooling } from './parse-frame.ts';

/** A tokenizer has a few configurations; a folder of a thousand files is not a model's. */
const maxFiles = 64;

/**
 * The files of a model's folder that the library reads: configurations and words at its top, and
 * the chosen weights with data files of their name. Not the folder itself: the weights may name any
 * path below it for more data.
 *
 * @returns and their size
 */
export function modelFiles(
  path: string,
  { subfolder, dtype }: ModelFile,
): { folder: string; files: readonly string[]; bytes: number } {
  const folder = resolve(path);
  const weights = dtype === 'q8' ? 'model_quantized.onnx' : 'model.onnx';
  const files = [
    ...readdirSync(folder).filter((name) => /\.(?:json|txt|model)$/.test(name)),
    ...readdirSync(join(folder, subfolder))
      .filter((name) => name.startsWith(weights))
      .map((name) => join(subfolder, name)),
  ].filter((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile() === true);
  const read = files.slice(0, maxFiles);
  const bytes = read.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  return { folder, files: read, bytes };
}

/** Measured facts about a model, if its own files do not say them. */
type KnownModel = {
  pooling: Pooling;
  maxTokens: number;
  prefixes: { query: string; text: string };
  use: VectorUse;
};

const none = { query: '', text: '' };

/**
 * By the name of the folder, in small letters. Shares by `npm run bench:memory`, cosines
 * by the half for tuning of `-- --facts`.
 */
export const knownModels: Readonly<Record<string, KnownModel>> = {
  'all-minilm-l6-v2': {
    pooling: 'mean',
    maxTokens: 256,
    prefixes: none,
    use: { alpha: 0.5, cosineFloor: 0, perhapsCosine: 0.36, sureCosine: 0.5, rerankShare: 0.43 },
  },
  // Its prefix for questions did not help; unrelated texts have cosines about .5.
  'bge-small-en-v1.5': {
    pooling: 'cls',
    maxTokens: 256,
    prefixes: none,
    use: {
      alpha: 0.5,
      cosineFloor: 0.4,
      perhapsCosine: 0.64,
      sureCosine: 0.75,
      rerankShare: 0.4,
      codeShare: 0.2,
    },
  },
};
