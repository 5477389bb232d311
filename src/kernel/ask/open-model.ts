import type { Config } from '../../config/load-config.ts';
import type { Confine } from '../../contracts/confined-program.ts';
import type { ChatModel, ModelRole } from '../../contracts/model.ts';
import type { Store } from '../../contracts/store.ts';
import { providerOf } from './model-providers.ts';

/**
 * The configured model, or undefined for `none`. The caller owns it.
 *
 * @throws {KernelError} what its provider says, as in `ModelProvider`; `canceled` when the signal
 *   fires while it is opened
 */
export async function openModel(
  config: Config,
  options: { confine: Confine; signal: AbortSignal },
): Promise<ChatModel | undefined> {
  return await providerOf(config.model)?.open(config, options);
}

/** The role that `cuervo model test` found for a model. */
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
