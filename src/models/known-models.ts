import type { ModelPrice } from '../contracts/model.ts';
import { readTextIfPresent } from '../lib/files/read-file.ts';
import { once } from '../lib/memo.ts';
import { type KnownModels, parseKnownModels } from './parse-known-models.ts';

/** Facts about a model beside those of its provider. */
export type ModelFacts = {
  contextTokens: number | undefined;
  nativeTools: boolean | undefined;
  sees: boolean | undefined;
  price: ModelPrice | undefined;
};

/** A date, or `latest`, behind the name of a model. */
const version = /[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/;

/**
 * @param paths files of models, the one that wins first; one that is missing says nothing
 * @returns reads the files when it is first called
 * @throws {KernelError} `invalid-argument`, by what is returned, for a path that is not a file
 */
export function readKnownModels(paths: readonly string[]): (name: string) => ModelFacts {
  const files = once(() =>
    paths.map((path) => parseKnownModels(readTextIfPresent(path) ?? '', path)),
  );
  return (name) => {
    const found = [name, name.replace(version, '')].flatMap((key) =>
      files().flatMap((file: KnownModels) => file[key] ?? []),
    )[0];
    const { input, output, cached, 'cache-write': cacheWrite } = found ?? {};
    return {
      contextTokens: found?.context,
      nativeTools: found?.tools,
      sees: found?.vision,
      price:
        input === undefined || output === undefined
          ? undefined
          : {
              input,
              output,
              ...(cached === undefined ? {} : { cached }),
              ...(cacheWrite === undefined ? {} : { cacheWrite }),
            },
    };
  };
}
