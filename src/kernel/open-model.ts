import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Config } from '../config/load-config.ts';
import { KernelError } from '../contracts/error.ts';
import type { ChatModel, ModelRole } from '../contracts/model.ts';
import type { Store } from '../contracts/store.ts';
import { expandHome } from '../lib/expand-home.ts';

/**
 * Whether a model is meant as a file, also one that is not there. A slash alone says nothing: some
 * servers name their models so.
 */
export function isModelFile(model: string): boolean {
  const isPath = isAbsolute(model) || /^(?:\.{1,2}|~)(?:[\\/]|$)/.test(model);
  return isPath || model.toLowerCase().endsWith('.gguf') || existsSync(model);
}

/**
 * The configured model, or undefined for `none`: a local one of a file, or else one of the
 * provider. The caller owns it.
 *
 * @throws {KernelError} `unavailable` without a key, or what the model says of its file
 */
export async function openModel(config: Config): Promise<ChatModel | undefined> {
  const { model, anthropic } = config;
  if (model === 'none') return undefined;
  if (isModelFile(model)) {
    const { openLlama } = await import('../models/open-llama.ts');
    const childPath = join(config.paths.dist, 'llama-child.js');
    return await openLlama({ path: expandHome(model), childPath });
  }
  if (anthropic.apiKey === undefined || anthropic.apiKey === '') {
    throw new KernelError('unavailable', `the model ${model} needs a key in ANTHROPIC_API_KEY`, {
      hint: 'Set it (export ANTHROPIC_API_KEY=…), name a GGUF file, or ask with --model none',
    });
  }
  const { openAnthropic } = await import('../models/open-anthropic.ts');
  const { apiKey, baseUrl } = anthropic;
  return await openAnthropic({ model, apiKey, ...(baseUrl === undefined ? {} : { baseUrl }) });
}

/** What a model was found fit for by `cuervo model test`. */
export type StoredScore = { role: ModelRole | 'none'; choose: number; word: number };

export function scoreKey(digest: string): string {
  return `model-score:${digest}`;
}

/**
 * What the model does in this run: what the person said, else what its test showed, else
 * choosing for a remote model and wording for a local one that was never tested.
 */
export async function roleOf(
  model: ChatModel,
  config: Config,
  store: Store,
): Promise<{ role: ModelRole | 'none'; tested: boolean }> {
  const score = store.getSetting(scoreKey(await model.digest())) as StoredScore | undefined;
  if (config.modelRole !== 'auto') return { role: config.modelRole, tested: score !== undefined };
  if (score !== undefined) return { role: score.role, tested: true };
  return { role: model.remote ? 'choose' : 'word', tested: false };
}
