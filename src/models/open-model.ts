import { join } from 'node:path';
import type { Config } from '../contracts/config.ts';
import type { Confine } from '../contracts/confined-program.ts';
import type { ChatModel } from '../contracts/model.ts';
import { readKnownModels } from './known-models.ts';
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
  const { secretFor = async () => undefined, onRefused = () => {} } = given;
  const { onUnknownContext = () => {}, onContext = () => {} } = given;
  const { digestOf, measuredOf, statesOf } = given;
  const { confine, signal } = given;
  const provider = providerOf(name, book);
  return await provider?.open(name, config, {
    ...{ confine, signal, book, facts, secretFor, onRefused, onUnknownContext, onContext },
    ...(digestOf === undefined ? {} : { digestOf }),
    ...(measuredOf === undefined ? {} : { measuredOf }),
    ...(statesOf === undefined ? {} : { statesOf }),
  });
}
