import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { limitLanceBatches } from '../../config/process-settings.ts';
import type { Config } from '../../contracts/config.ts';
import { reasonOf } from '../../contracts/error.ts';
import { memoryLayers } from '../../contracts/memory.ts';
import type { Finding } from '../../contracts/output/parse-setup.ts';
import { indexFolder } from '../../finder/watch-files.ts';
import { emptyBook, type ModelBook } from '../../models/model-book.ts';
import { providerOf } from '../../models/model-providers.ts';
import { layersInTables } from '../../store/repair-store.ts';
import { describeEmbedder, describeReranker } from '../memory/memory-model-path.ts';
import { edit } from './doctor-files.ts';

/** The models of memory, as far as can be told without loading them. */
export function checkMemory(config: Pick<Config, 'home' | 'memory'>): Finding {
  const name = 'memory';
  const vectors = describeOr(() => describeEmbedder(config), 'memory is searched by words alone');
  const reranker = describeOr(() => describeReranker(config), 'the best hits are not reranked');
  const finding = `${vectors.text}, ${reranker.text}`;
  if (!vectors.isFailed && !reranker.isFailed) return { name, status: 'ok', finding };
  return { name, status: 'fail', finding, fix: edit(join(config.home, 'config.toml')) };
}

/** Checks that the tables of this machine can be read, with all rows. Changes nothing. */
export async function checkTables({
  home,
  memory,
}: Pick<Config, 'home' | 'memory'>): Promise<Finding[]> {
  const name = 'memory tables';
  const directory = join(home, 'lancedb');
  const inTables = expectedLayers(join(home, 'cuervo.db'));
  if (!existsSync(directory) && inTables.size === 0) return [];
  const { openLanceIndex } = await import('../../memory/tables/lance-index.ts');
  const { localPlace } = await import('../../memory/tables/table-place.ts');
  const { checkTables: findProblems } = await import('../../memory/rebuild.ts');
  limitLanceBatches();
  using index = openLanceIndex(localPlace(directory));
  // those that machines share lie elsewhere
  const layers = memory.shared === undefined ? memoryLayers : (['interact'] as const);
  const found = await findProblems(index, layers, (layer) => inTables.has(layer));
  if (found.length === 0) return [{ name, status: 'ok', finding: `${directory} can be read` }];
  const fix = 'rebuild them: cuervo memory rebuild';
  return found.map(({ layer, problem }) => ({
    ...{ name, status: 'fail' as const, finding: `${layer}: ${problem}`, fix },
  }));
}

/** An unreadable store has its own finding; no layers are expected of it. */
function expectedLayers(path: string): Set<string> {
  try {
    return layersInTables(path);
  } catch {
    return new Set();
  }
}

/** @param otherwise how searches work if the description fails */
function describeOr(
  describe: () => string,
  otherwise: string,
): { text: string; isFailed: boolean } {
  try {
    return { text: describe(), isFailed: false };
  } catch (thrown) {
    return { text: `${otherwise}: ${reasonOf(thrown)}`, isFailed: true };
  }
}

/** How searches of the workspace find files: by an index that is watched, by one that is not, or none. */
export async function checkIndex({
  home,
  workspace,
}: Pick<Config, 'home' | 'workspace'>): Promise<Finding> {
  const row = { name: 'index', status: 'ok' as const };
  const folder = indexFolder(home, workspace);
  if (!existsSync(join(folder, 'files.db')))
    return { ...row, finding: `there is none of ${workspace}: searches read every file` };
  const { isWatched } = await import('../../finder/watch-files.ts');
  const finding = isWatched(folder, { asks: false })
    ? `a process keeps that of ${workspace} up with the files`
    : `searches of ${workspace} look for changes before each answer; cuervo index --watch spares that`;
  return { ...row, finding };
}

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
