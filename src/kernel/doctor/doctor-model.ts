import type { Config } from '../../contracts/config.ts';
import type { Finding } from '../../contracts/output/parse-setup.ts';
import { emptyBook, type ModelBook } from '../../models/model-book.ts';
import { providerOf } from '../../models/model-providers.ts';

/** The configured model, as far as can be told without starting or asking it. */
export function checkModel(
  config: Pick<Config, 'model' | 'modelFrom' | 'anthropic' | 'modelKey'>,
  book: ModelBook = emptyBook,
): Finding {
  const name = 'model';
  const isNamed = config.modelFrom === 'command line' || config.modelFrom === 'environment';
  const model = isNamed ? config.model : (book.choice ?? config.model);
  const provider = providerOf(model, book);
  if (provider !== undefined) return { name, ...provider.check(model, config, book) };
  return { name, status: 'ok', finding: 'none is configured: answers are passages' };
}
