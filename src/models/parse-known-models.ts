import { parse } from 'smol-toml';
import * as v from 'valibot';
import { KernelError, reasonOf } from '../contracts/error.ts';
import type { ModelPrice } from '../contracts/model.ts';
import { readTextIfPresent } from '../lib/files/read-file.ts';
import { once } from '../lib/memo.ts';

const usd = v.pipe(v.number(), v.minValue(0));
const entry = v.strictObject({
  context: v.optional(v.pipe(v.number(), v.integer(), v.minValue(256))),
  tools: v.optional(v.boolean()),
  vision: v.optional(v.boolean()),
  input: v.optional(usd),
  output: v.optional(usd),
  cached: v.optional(usd),
  'cache-write': v.optional(usd),
});
const fileSchema = v.strictObject({ models: v.optional(v.record(v.string(), entry)) });

/** What a file says of models, by their names. */
export type KnownModels = Readonly<Record<string, v.InferOutput<typeof entry>>>;

/**
 * @param path for messages
 * @throws {KernelError} `invalid-argument` with the reason
 */
function parseKnownModels(text: string, path: string): KnownModels {
  try {
    return v.parse(fileSchema, parse(text), { abortEarly: true }).models ?? {};
  } catch (thrown) {
    const key = thrown instanceof v.ValiError ? `"${v.getDotPath(thrown.issues[0])}" ` : '';
    const reason = reasonOf(thrown).split('\n', 1)[0];
    throw new KernelError('invalid-argument', `${path}: ${key}${reason}`, {
      cause: thrown,
      hint: `Correct ${path}; docs/models.md shows its form.`,
    });
  }
}

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
