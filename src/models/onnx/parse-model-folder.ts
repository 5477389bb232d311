import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import * as v from 'valibot';
import type { VectorUse } from '../../contracts/embedder.ts';
import { KernelError } from '../../contracts/error.ts';
import { addEnds } from '../../lib/files/read-file.ts';
import type { ModelFile, Pooling } from './parse-frame.ts';

/** The parts that are read of a model folder's JSON files; all else in them is left alone. */
const count = v.pipe(v.number(), v.integer(), v.minValue(1));

const configSchema = v.object({
  model_type: v.string(),
  architectures: v.optional(v.array(v.string())),
  hidden_size: v.optional(count),
  max_position_embeddings: v.optional(count),
});

const poolingSchema = v.object({
  pooling_mode_cls_token: v.optional(v.boolean()),
  pooling_mode_mean_tokens: v.optional(v.boolean()),
  pooling_mode_lasttoken: v.optional(v.boolean()),
  pooling_mode: v.optional(v.string()),
});

const lengthSchema = v.object({ max_seq_length: v.optional(v.nullable(count)) });

const promptsSchema = v.object({ prompts: v.optional(v.record(v.string(), v.string())) });

const schemas = {
  'config.json': configSchema,
  '1_Pooling/config.json': poolingSchema,
  'sentence_bert_config.json': lengthSchema,
  'config_sentence_transformers.json': promptsSchema,
} as const;

export type ModelFileName = keyof typeof schemas;
export type ModelFileContent<Name extends ModelFileName> = v.InferOutput<(typeof schemas)[Name]>;

/** @throws {Error} naming the key that is wrong, or where the text stops being JSON */
function parseModelFile<Name extends ModelFileName>(
  name: Name,
  text: string,
): ModelFileContent<Name> {
  const parsed = v.safeParse(schemas[name], JSON.parse(text), { abortEarly: true });
  if (parsed.success) return parsed.output as ModelFileContent<Name>;
  const [issue] = parsed.issues;
  throw new Error(`"${v.getDotPath(issue) ?? '(all)'}": ${issue.message}`);
}

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
const knownModels: Readonly<Record<string, KnownModel>> = {
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

/** The model's facts in a folder of the usual layout. */
export type ModelFolder = {
  folder: string;
  /** its last part, `@` and eight digits of what the vectors depend on */
  name: string;
  file: ModelFile;
  /** vectors of single texts, or a score of a question and a text together */
  kind: 'sentence' | 'pairs';
  /** undefined where its config does not say */
  dimensions: number | undefined;
  pooling: Pooling;
  /** of a text, with its special tokens */
  maxTokens: number;
  /** in front of questions, and of the texts that are searched */
  prefixes: { query: string; text: string };
  use: VectorUse;
};

/** Quantised first: half of the time and a quarter of the size, for about no loss. */
const files: readonly (ModelFile & { path: string })[] = [
  { path: 'onnx/model_quantized.onnx', subfolder: 'onnx', dtype: 'q8' },
  { path: 'model_quantized.onnx', subfolder: '', dtype: 'q8' },
  { path: 'onnx/model.onnx', subfolder: 'onnx', dtype: 'fp32' },
  { path: 'model.onnx', subfolder: '', dtype: 'fp32' },
];
/** The most bytes of a configuration; usual ones have a few kilobytes. */
const maxConfigBytes = 1024 * 1024;
/** Files that the process of the model reads beside its weights, and their largest size; vocabularies of 260,000 tokens have some 35 MiB. */
const maxTokenizerBytes = 128 * 1024 * 1024;
const readByProcess = ['tokenizer.json', 'tokenizer_config.json', 'special_tokens_map.json'];
/** Tokens of a few paragraphs, for which a CPU is fast enough. */
const defaultMaxTokens = 256;
const mostTokens = 512;

/**
 * Looks at a model's folder without loading the model. Pooling, prefixes and length are those of
 * its sentence-transformers files, else those of a known model, else mean and 256 tokens.
 *
 * @param key of `config.toml` that names the folder
 * @throws {KernelError} `not-found` without a folder, `invalid-argument` naming the file that is
 *   missing or wrong
 */
export function readModelFolder(
  folder: string,
  key: 'memory.embedder' | 'memory.reranker' = 'memory.embedder',
): ModelFolder {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new KernelError('not-found', `there is no model folder ${folder}`, {
      hint: `Put the model there, or name another folder as ${key} in config.toml.`,
    });
  }
  const label = basename(folder);
  const file = files.find(({ path }) => isFile(join(folder, path)));
  const missing = ['config.json', 'tokenizer.json'].filter((name) => !isFile(join(folder, name)));
  if (file === undefined) missing.push('onnx/model_quantized.onnx (or onnx/model.onnx)');
  if (missing.length > 0 || file === undefined) {
    throw new KernelError(
      'invalid-argument',
      `the model folder ${folder} has no ${missing.join(' and no ')}`,
      { hint: 'Choose a model with these files; model hubs list them as "ONNX".' },
    );
  }
  for (const name of readByProcess) checkSize(join(folder, name), maxTokenizerBytes);
  const config = read(folder, 'config.json');
  const known = knownModels[label.toLowerCase()];
  const pooling = poolingOf(read(folder, '1_Pooling/config.json')) ?? known?.pooling ?? 'mean';
  const stated =
    read(folder, 'sentence_bert_config.json')?.max_seq_length ?? known?.maxTokens ?? undefined;
  const maxTokens = Math.min(
    stated ?? defaultMaxTokens,
    config?.max_position_embeddings ?? mostTokens,
    mostTokens,
  );
  const prompts = read(folder, 'config_sentence_transformers.json')?.prompts ?? {};
  const prefixes = known?.prefixes ?? {
    query: prompts.query ?? '',
    text: prompts.document ?? prompts.passage ?? '',
  };
  const digest = digestOf(folder, file.path, [pooling, String(maxTokens), prefixes.text]);
  return {
    folder,
    name: `${label}@${digest.slice(0, 8)}`,
    file: { subfolder: file.subfolder, dtype: file.dtype },
    kind: config?.architectures?.some((name) => name.endsWith('ForSequenceClassification'))
      ? 'pairs'
      : 'sentence',
    dimensions: config?.hidden_size,
    pooling,
    maxTokens,
    prefixes,
    use: known?.use ?? {
      alpha: 0.5,
      cosineFloor: 0,
      perhapsCosine: 0.5,
      sureCosine: 0.7,
      rerankShare: 0.43,
    },
  };
}

/** @throws {KernelError} `invalid-argument` for what is not a regular file, or larger */
function checkSize(path: string, maxBytes: number): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.isFile() && found.size <= maxBytes)) return;
  const what = found.isFile()
    ? `has ${found.size} bytes, limit ${maxBytes}`
    : 'is not a regular file';
  throw new KernelError('invalid-argument', `${path} cannot be used: it ${what}`, {
    hint: 'Download the model again.',
  });
}

/** Opens only regular files: opening a pipe would wait. */
function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

function read<Name extends ModelFileName>(
  folder: string,
  name: Name,
): ModelFileContent<Name> | undefined {
  const path = join(folder, name);
  if (!isFile(path)) return undefined;
  checkSize(path, maxConfigBytes);
  try {
    return parseModelFile(name, readFileSync(path, 'utf8'));
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message.split('\n', 1)[0] : String(thrown);
    throw new KernelError('invalid-argument', `${path} cannot be used: ${reason}`, {
      hint: 'Download the model again.',
      cause: thrown,
    });
  }
}

function poolingOf(
  config: ModelFileContent<'1_Pooling/config.json'> | undefined,
): Pooling | undefined {
  if (config === undefined) return undefined;
  if (config.pooling_mode_cls_token || config.pooling_mode === 'cls') return 'cls';
  if (config.pooling_mode_lasttoken || config.pooling_mode === 'lasttoken') return 'last';
  return 'mean';
}

/** Both ends of the weights and their length tell two versions apart without reading all of it. */
function digestOf(folder: string, onnx: string, more: readonly string[]): string {
  const hash = createHash('sha256');
  const path = join(folder, onnx);
  const { size } = statSync(path);
  hash.update(`${size}\0${more.join('\0')}\0`);
  hash.update(readFileSync(join(folder, 'config.json')));
  addEnds(hash, path, size);
  return hash.digest('hex');
}
