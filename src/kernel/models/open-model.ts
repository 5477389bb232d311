import { join } from 'node:path';
import type { Config } from '../../config/load-config.ts';
import type { Confine } from '../../contracts/confined-program.ts';
import type { ChatModel, ModelRole } from '../../contracts/model.ts';
import type { Store } from '../../contracts/store.ts';
import { readKnownModels } from '../../models/known-models.ts';
import { emptyBook } from './model-book.ts';
import { type OpenOptions, providerOf } from './model-providers.ts';

/** The file of a person's own words on models. */
function ownModelsPath(home: string): string {
  return join(home, 'models.toml');
}

export function factsOf(config: Pick<Config, 'home' | 'paths'>): OpenOptions['facts'] {
  return readKnownModels([ownModelsPath(config.home), config.paths.models]);
}

/**
 * A model by its name, or undefined for `none`. The caller owns it.
 *
 * @throws {KernelError} what its provider says, as in `ModelProvider`; `canceled` when the signal
 *   fires while it is opened
 */
export async function openModel(
  name: string,
  config: Config,
  options: { confine: Confine; signal: AbortSignal } & Partial<OpenOptions>,
): Promise<ChatModel | undefined> {
  const { book = emptyBook, facts = factsOf(config), ...given } = options;
  const { secretFor = async () => undefined, onNoTools = () => {} } = given;
  const { confine, signal } = given;
  const provider = providerOf(name, book);
  return await provider?.open(name, config, { confine, signal, book, facts, secretFor, onNoTools });
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
  config: Pick<Config, 'modelRole'>,
  store: Pick<Store, 'getSetting'>,
): Promise<{ role: ModelRole | 'none'; tested: boolean }> {
  const score = store.getSetting(scoreKey(await model.digest())) as StoredScore | undefined;
  if (config.modelRole !== 'auto') return { role: config.modelRole, tested: score !== undefined };
  if (score !== undefined) return { role: score.role, tested: true };
  // A model of a server is as large as its machine allows; a file that nobody tested may be tiny.
  return { role: model.reach.mustCall ? 'word' : 'choose', tested: false };
}
