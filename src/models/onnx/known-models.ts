import type { VectorUse } from '../../contracts/sentence-model.ts';
import type { Pooling } from './protocol.ts';

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
