import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Config } from '../contracts/config.ts';
import type { Confine } from '../contracts/confined-program.ts';
import { KernelError, reasonOf } from '../contracts/error.ts';
import type { ChatModel } from '../contracts/model.ts';
import type { modelProviders } from '../contracts/output/parse-model.ts';
import type { Finding } from '../contracts/output/parse-setup.ts';
import { faultOf } from '../contracts/talk.ts';
import { expandHome } from '../lib/files/paths.ts';
import { llamaPackage } from '../lib/parts/parts.ts';
import { shellWord } from '../lib/text/escape.ts';
import { checkGguf } from './llama/check-gguf.ts';
import { checkMemory } from './llama/gguf-files.ts';
import type { PromptStates } from './llama/prompt-states.ts';
import { emptyBook, keyNameOf, type ModelBook, servedModel } from './model-book.ts';
import type { Measured } from './model-reach.ts';
import { type ModelFacts, readKnownModels } from './parse-known-models.ts';

type ModelConfig = Pick<Config, 'anthropic' | 'models' | 'paths' | 'modelKey'>;

export type OpenOptions = {
  confine: Confine;
  signal: AbortSignal;
  book: ModelBook;
  /** facts about a model from the files of known models */
  facts(name: string): ModelFacts;
  /** the value of a secret that may be sent to an origin */
  secretFor(name: string, origin: string): Promise<string | undefined>;
  /** told that a server refuses a field of requests, or `tools` for a model */
  onRefused(server: string, model: string, field: string): void;
  /** told that nobody says how long the context of a model is, and what is assumed */
  onUnknownContext(name: string, assumedTokens: number): void;
  /** told how long an error of a server says that a context is, where nobody had said it */
  onContext(server: string, model: string, tokens: number): void;
  /** SHA-256 of a model's file */
  digestOf?(path: string): Promise<string>;
  /** the results of a file's test on this machine, or the values to open it with for its test */
  measuredOf?(digest: string): Promise<Measured | undefined>;
  /** the kept states of a file's model after beginnings of prompts */
  statesOf?(digest: string): Promise<PromptStates | undefined>;
};

/** A source of models: one row for `ask`, `model` and `doctor`. */
export type ModelProvider = {
  readonly name: (typeof modelProviders)[number];
  /** whether the name of a model means one of this provider */
  matches(model: string, book: ModelBook): boolean;
  /** whether its requests leave this machine */
  isRemote(model: string, book: ModelBook): boolean;
  /** A check that neither starts nor asks the model. */
  check(
    model: string,
    config: Pick<Config, 'anthropic' | 'modelKey'>,
    book: ModelBook,
  ): Omit<Finding, 'name'>;
  /**
   * The caller owns the model.
   *
   * @throws {KernelError} `unavailable` without a key, or what the model says of its file
   */
  open(model: string, config: ModelConfig, options: OpenOptions): Promise<ChatModel>;
};

/**
 * Whether a name means a model file, even a missing one. A slash alone proves nothing: some servers
 * use it in names of models.
 */
export function isModelFile(model: string): boolean {
  const isPath = isAbsolute(model) || /^(?:\.{1,2}|~)(?:[\\/]|$)/.test(model);
  return isPath || model.toLowerCase().endsWith('.gguf') || existsSync(model);
}

/** The configured times alone; the providers have their own defaults. */
function patienceOf({ models }: Pick<Config, 'models'>): {
  connectMs?: number;
  silence: { firstTokenMs?: number; idleMs?: number };
} {
  const { connectTimeoutMs, firstTokenTimeoutMs, idleTimeoutMs } = models;
  return {
    ...(connectTimeoutMs === undefined ? {} : { connectMs: connectTimeoutMs }),
    silence: {
      ...(firstTokenTimeoutMs === undefined ? {} : { firstTokenMs: firstTokenTimeoutMs }),
      ...(idleTimeoutMs === undefined ? {} : { idleMs: idleTimeoutMs }),
    },
  };
}

const openai: ModelProvider = {
  name: 'openai',
  matches: (model, book) => servedModel(model, book) !== undefined,
  isRemote: (model, book) => servedModel(model, book)?.server.isLocal !== true,
  check: (model, { modelKey }, book) => {
    const { name, server } = servedModel(model, book) as NonNullable<
      ReturnType<typeof servedModel>
    >;
    const where = `${model} is a model of the server ${server.url}`;
    if (server.isLocal) {
      return { status: 'ok', finding: `${where}, which you said is local; it was not asked` };
    }
    const keyName = keyNameOf(name);
    return modelKey(keyName) === undefined
      ? {
          status: 'warn',
          finding: `${where}, and ${keyName} is not set`,
          fix: `export ${keyName}=…`,
        }
      : { status: 'ok', finding: `${where}, the key is set; the server was not asked` };
  },
  open: async (name, config, { book, facts, secretFor, signal, ...told }) => {
    const served = servedModel(name, book);
    if (served === undefined) throw new KernelError('internal', `no server has ${name}`);
    const { server, model } = served;
    const { url, isLocal } = server;
    const keyName = keyNameOf(served.name);
    const apiKey = isLocal
      ? ''
      : (config.modelKey(keyName) ?? (await secretFor(keyName, new URL(url).origin)) ?? '');
    const { openOpenAi } = await import('./open-openai.ts');
    const { askServer } = await import('./openai/parse-server.ts');
    // The context may have changed since the model was added.
    const asked = { baseUrl: url, apiKey, signal, timeoutMs: 2_000 };
    const now = isLocal ? await askServer(model, asked) : undefined;
    const own = facts(name);
    const kept = server.models[model];
    const contextTokens = now?.contextTokens ?? kept?.contextTokens ?? own.contextTokens;
    const opened = await openOpenAi({
      name,
      model,
      baseUrl: url,
      apiKey,
      keyName,
      isLocal,
      contextTokens,
      price: kept?.price ?? own.price,
      nativeTools: now?.nativeTools ?? kept?.nativeTools ?? own.nativeTools,
      sees: own.sees ?? now?.sees ?? kept?.sees,
      asks: config.models.asks,
      refused: server.refused,
      onRefused: (field) => told.onRefused(served.name, model, field),
      ...patienceOf(config),
    });
    if (contextTokens !== undefined) return opened;
    told.onUnknownContext(name, opened.contextTokens);
    return learning(opened, (tokens) => told.onContext(served.name, model, tokens));
  },
};

/** Tells how long a context is that an error of the server speaks of. */
function learning(model: ChatModel, tell: (tokens: number) => void): ChatModel {
  return {
    ...model,
    stream: async function* (request, options) {
      try {
        yield* model.stream(request, options);
      } catch (thrown) {
        const fault = thrown instanceof KernelError ? faultOf(thrown) : undefined;
        const tokens = fault?.kind === 'overflow' ? fault.limitTokens : undefined;
        // Another number is no context, and what is told stays.
        if (tokens !== undefined && tokens >= 1024 && tokens <= 10_000_000) tell(tokens);
        throw thrown;
      }
    },
  };
}

const llama: ModelProvider = {
  name: 'llama',
  matches: (model, { files }) => Object.hasOwn(files, model) || isModelFile(model),
  isRemote: () => false,
  check: (model, _config, { files }) => {
    try {
      const path = expandHome(files[model] ?? model);
      checkGguf(path);
      checkMemory(path);
      return { status: 'ok', finding: `${path} has the header and length of a GGUF model` };
    } catch (thrown) {
      return { status: 'fail', finding: reasonOf(thrown), fix: 'export CUERVO_MODEL=none' };
    }
  },
  open: async (model, { paths }, options) => {
    const { book, confine, signal, digestOf, measuredOf, statesOf } = options;
    const { openLlama } = await import('./open-llama.ts');
    const childPath = join(paths.dist, 'llama-child.js');
    const packages = [llamaPackage()];
    const path = expandHome(book.files[model] ?? model);
    checkGguf(path);
    checkMemory(path);
    const digest = digestOf === undefined ? undefined : await digestOf(path);
    const measured = digest === undefined ? undefined : await measuredOf?.(digest);
    return await openLlama({
      ...{ path, childPath, packages, confine, signal, measured },
      states: digest === undefined ? undefined : await statesOf?.(digest),
      ...(digest === undefined ? {} : { digest: async () => digest }),
    });
  },
};

/**
 * Refuses a mistaken name for the provider that takes all other names: a model of a server that
 * lacks it, or of a server that was not added, or one that this provider cannot have. Another server
 * of its interface may have any name.
 *
 * @throws {KernelError} `not-found`
 */
export function refuseMistaken(
  model: string,
  { servers, files }: Pick<ModelBook, 'servers' | 'files'>,
  { anthropic: { baseUrl } }: Pick<Config, 'anthropic'>,
): void {
  if (baseUrl !== undefined || isModelFile(model)) return;
  const [first = ''] = model.split('/');
  const names = Object.entries(servers).flatMap(([server, { models }]) =>
    Object.keys(models).map((each) => ({ server, each, whole: `${server}/${each}` })),
  );
  const meant = names.find(({ each, server }) => each === model || server === model)?.whole;
  if (meant !== undefined) {
    throw new KernelError('not-found', `there is no model "${model}" by this name alone`, {
      hint: `Name its server and the model, e.g. ${meant}; see all with: cuervo model list`,
    });
  }
  if (first === model && !model.toLowerCase().startsWith('claude')) {
    throw KernelError.unknownName(`there is no model "${model}"`, {
      name: model,
      names: [...Object.keys(files), ...names.flatMap(({ each, whole }) => [each, whole])],
      hint: `Models of Anthropic begin with claude-. Others come with a server (cuervo model add URL) or a file (cuervo model add FILE.gguf --name ${shellWord(model)}); see what is there with: cuervo model list`,
    });
  }
  if (first === model || Object.hasOwn(servers, first)) return;
  throw KernelError.unknownName(`there is no server "${first}", which "${model}" names`, {
    name: first,
    names: Object.keys(servers),
    hint: `Add it: cuervo model add URL --name ${first}; see what is there with: cuervo model list`,
  });
}

/** Last, because it takes every other name. */
const anthropic: ModelProvider = {
  name: 'anthropic',
  matches: () => true,
  isRemote: () => true,
  check: (model, config, book) => {
    const { apiKey } = config.anthropic;
    try {
      refuseMistaken(model, book, config);
    } catch (thrown) {
      return { status: 'fail', finding: reasonOf(thrown), fix: 'cuervo model list' };
    }
    if (apiKey === undefined || apiKey === '') {
      const finding = `${model} is a model of a provider and ANTHROPIC_API_KEY is not set`;
      return { status: 'fail', finding, fix: 'export ANTHROPIC_API_KEY=…' };
    }
    const finding = `${model} is a model of a provider, the key is set; the provider was not asked`;
    return { status: 'ok', finding };
  },
  open: async (model, config, { book, facts, secretFor, onRefused }) => {
    refuseMistaken(model, book, config);
    const { baseUrl, thinks } = config.anthropic;
    const { openAnthropic, anthropicUrl } = await import('./open-anthropic.ts');
    const origin = new URL(baseUrl ?? anthropicUrl).origin;
    const apiKey = config.anthropic.apiKey ?? (await secretFor('ANTHROPIC_API_KEY', origin));
    if (apiKey === undefined || apiKey === '') {
      throw new KernelError('unavailable', `the model ${model} needs a key in ANTHROPIC_API_KEY`, {
        hint: 'Set it (export ANTHROPIC_API_KEY=…), add a server (cuervo model add URL), name a GGUF file, or ask with --model none',
      });
    }
    const { contextTokens, price } = facts(model);
    return await openAnthropic({
      model,
      apiKey,
      thinks,
      asks: config.models.asks,
      price,
      onRefused: (field) => onRefused(origin, model, field),
      ...(contextTokens === undefined ? {} : { contextTokens }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...patienceOf(config),
    });
  },
};

/** The first that matches has the model. The compiler names one that has no row. */
const providers: { readonly [Name in ModelProvider['name']]: ModelProvider } = {
  openai,
  llama,
  anthropic,
};

/** The provider of a model; undefined for `none`. */
export function providerOf(model: string, book: ModelBook): ModelProvider | undefined {
  return model === 'none'
    ? undefined
    : Object.values(providers).find(({ matches }) => matches(model, book));
}

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
  const given: OpenOptions = {
    ...{ book: emptyBook, facts: factsOf(config), secretFor: async () => undefined },
    ...{ onRefused: () => {}, onUnknownContext: () => {}, onContext: () => {} },
    ...options,
  };
  return await providerOf(name, given.book)?.open(name, config, given);
}
