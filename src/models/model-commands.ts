import { existsSync, realpathSync, rmSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { Config } from '../contracts/config.ts';
import { KernelError, reasonOf } from '../contracts/error.ts';
import type { ListedModel } from '../contracts/output/parse-model.ts';
import type { Store } from '../contracts/store.ts';
import { expandHome } from '../lib/files/paths.ts';
import { checkGguf } from './llama/check-gguf.ts';
import { ggufFiles, knownDigest } from './llama/gguf-files.ts';
import {
  changeBook,
  emptyBook,
  isOnThisMachine,
  keyNameOf,
  type ModelBook,
  type ModelServer,
  readBook,
  servedModel,
} from './model-book.ts';
import { factsOf, isModelFile, providerOf, refuseMistaken } from './model-providers.ts';
import { scoreOf } from './model-scores.ts';
import type { InspectOptions, ServedModel } from './openai/parse-server.ts';
import type { ModelFacts } from './parse-known-models.ts';

export type AddedModels = { name: string; models: ListedModel[] };

/** Servers and files of models, and the one that is used. */
export type ModelCommands = {
  /**
   * Adds a server by its address, or a GGUF file by its path.
   *
   * @param options.name of the server or the file; made from the address or the path when absent
   * @param options.model a model of the server, if the server gives no list
   * @param options.sees its models read images, or the one that is named
   * @param options.contextTokens of the models whose context the server does not say
   * @param options.isLocal what the person said; asked when absent and there is somebody to ask
   * @throws {KernelError} `unavailable` when the server gives no list of models
   */
  add(
    source: string,
    options: {
      name?: string | undefined;
      model?: string | undefined;
      contextTokens?: number | undefined;
      isLocal?: boolean | undefined;
      sees?: boolean | undefined;
      signal: AbortSignal;
    },
  ): Promise<AddedModels>;
  /** what was added, what was chosen and what `models.toml` names */
  list(): Promise<ListedModel[]>;
  show(model: string): Promise<ListedModel>;
  /** Keeps the choice for every command that names no model; `none` takes it back. */
  use(model: string): Promise<ListedModel>;
  /**
   * Forgets a server, a file or a choice.
   *
   * @param options.withFile deletes the file, too, where `pull` brought it
   */
  remove(
    name: string,
    options?: { withFile?: boolean },
  ): Promise<{ isDeleted: boolean; keptPath: string | undefined }>;
};

type KeptBook = { book: ModelBook; store: Store | undefined };

const serverName = /^[a-z0-9][a-z0-9._-]{0,62}$/i;

type ModelPorts = {
  config: Config;
  store(): Promise<Store>;
  hasStore(): boolean;
  warn(text: string): void;
  options: {
    askYesNo?: (text: string, options: { signal: AbortSignal }) => Promise<boolean | undefined>;
  };
};

export function createModelCommands(
  core: ModelPorts,
  secretFor: (key: string, origin: string) => Promise<string | undefined>,
): ModelCommands {
  const { config, options } = core;
  const facts = factsOf(config);
  const readOnly = async (): Promise<KeptBook> => {
    if (!core.hasStore()) return { book: emptyBook, store: undefined };
    const store = await core.store();
    return { book: readBook(store), store };
  };

  const described = (model: string, kept: KeptBook): ListedModel =>
    describe(model, kept, { facts, config });

  const addFile = async (source: string, name: string | undefined): Promise<AddedModels> => {
    const path = expandHome(source);
    if (!existsSync(path)) {
      throw new KernelError('not-found', `there is no model file "${source}"`, {
        hint: 'Check the path. A server is added by its address: cuervo model add http://127.0.0.1:11434/v1',
      });
    }
    checkGguf(path);
    const store = await core.store();
    const as = name ?? basename(path, extname(path)).toLowerCase();
    refuseName(as);
    const { files } = readBook(store);
    changeBook(store, { files: { ...files, [as]: realpathSync(path) } });
    return { name: as, models: [described(as, { book: readBook(store), store })] };
  };

  const sayLocal = async (url: string, signal: AbortSignal): Promise<boolean> => {
    if (!isOnThisMachine(url)) return false;
    const text = `${url} is on this machine. Does everything that is sent to it stay here? A server may forward it, as Ollama does with its cloud models. With "no" it is treated as remote: secrets are redacted and budgets count.`;
    const answer = await options.askYesNo?.(text, { signal });
    if (answer === undefined) {
      core.warn(
        `${url} is treated as remote, because nothing says that its data stays here; say so with --local`,
      );
    }
    return answer ?? false;
  };

  return {
    add: async (source, { name, model, contextTokens, isLocal, sees, signal }) => {
      const address = addressIn(source);
      if (address === undefined && (model ?? contextTokens) !== undefined) {
        throw new KernelError('invalid-argument', `${source} is a file, which is one model`, {
          hint: `Leave --${model === undefined ? 'context' : 'model'} out; --name names the file.`,
        });
      }
      if (address === undefined) return await addFile(source, name);
      const url = baseUrlOf(address);
      const as = name ?? nameOf(url);
      refuseName(as);
      if (isLocal === true && !isOnThisMachine(url)) {
        throw new KernelError('invalid-argument', `${url} is not on this machine`, {
          hint: 'Leave out --local: data sent there leaves the machine.',
        });
      }
      const keyName = keyNameOf(as);
      const apiKey =
        config.modelKey(keyName) ?? (await secretFor(keyName, new URL(url).origin)) ?? '';
      const local = isLocal ?? (await sayLocal(url, signal));
      const asked = { baseUrl: url, apiKey: local ? '' : apiKey, signal };
      const all = await servedBy(asked, { keyName, model, warn: core.warn });
      const given = contextTokens === undefined ? {} : { contextTokens };
      const isMeant = (id: string): boolean => sees === true && (model ?? id) === id;
      const models = Object.fromEntries(
        all.map(({ id, ...said }) => [
          id,
          { ...given, ...said, ...(isMeant(id) ? { sees: true } : {}) },
        ]),
      );
      const server: ModelServer = { url, isLocal: local, models };
      const store = await core.store();
      const { servers } = readBook(store);
      changeBook(store, { servers: { ...servers, [as]: server } });
      const book = readBook(store);
      return {
        name: as,
        models: all.map(({ id }) => described(`${as}/${id}`, { book, store })),
      };
    },
    list: async () => {
      const kept = await readOnly();
      const { servers, files, choice } = kept.book;
      const names = [
        ...Object.entries(servers).flatMap(([name, { models }]) =>
          Object.keys(models).map((model) => `${name}/${model}`),
        ),
        ...Object.keys(files),
        ...(choice === undefined ? [] : [choice]),
        ...(config.modelFrom === 'nobody' || config.model === 'none' ? [] : [config.model]),
      ];
      return [...new Set(names)].sort().map((name) => described(name, kept));
    },
    show: async (model) => {
      const kept = await readOnly();
      refuseMistaken(model, kept.book, config);
      return described(model, kept);
    },
    use: async (model) => {
      const store = await core.store();
      const book = readBook(store);
      if (model !== 'none') refuseUnknown(model, book, config);
      changeBook(store, { choice: model === 'none' ? undefined : model });
      if (config.modelFrom === 'environment')
        core.warn(`CUERVO_MODEL=${config.model} is set and counts before this choice`);
      return { ...described(model, { book, store }), chosen: model !== 'none' };
    },
    remove: async (name, { withFile = false } = {}) => {
      const store = await core.store();
      const { servers, files, pulled, choice } = readBook(store);
      const isChosen = choice === name || choice?.startsWith(`${name}/`) === true;
      const isServer = Object.hasOwn(servers, name) && !Object.hasOwn(emptyBook.servers, name);
      if (!isServer && !Object.hasOwn(files, name) && !isChosen) {
        throw noSuch(name, [...Object.keys(servers), ...Object.keys(files), choice ?? '']);
      }
      const { [name]: _server, ...otherServers } = servers;
      const { [name]: path, ...otherFiles } = files;
      const { [name]: from, ...otherPulled } = pulled;
      const isOurs = path !== undefined && from !== undefined;
      if (withFile && !isOurs) {
        throw new KernelError(
          'invalid-argument',
          `the file of ${name} was not downloaded by cuervo model pull`,
          {
            hint: `Leave --file out: cuervo model remove ${name}`,
          },
        );
      }
      changeBook(store, {
        servers: otherServers,
        files: otherFiles,
        pulled: otherPulled,
        choice: isChosen ? undefined : choice,
      });
      if (!withFile || path === undefined) return { isDeleted: false, keptPath: path };
      const { folder, files: parts } = ggufFiles(path);
      for (const part of parts) rmSync(join(folder, part), { force: true });
      return { isDeleted: true, keptPath: undefined };
    },
  };
}

/**
 * The models of a server: its list, and the named model, which need not be listed.
 *
 * @throws {KernelError} `unavailable` where there is neither
 */
async function servedBy(
  asked: InspectOptions,
  {
    keyName,
    model,
    warn,
  }: { keyName: string; model: string | undefined; warn(text: string): void },
): Promise<ServedModel[]> {
  const { baseUrl: url, signal } = asked;
  const { listServed } = await import('./openai/parse-server.ts');
  const named = model === undefined ? [] : [{ id: model }];
  try {
    const served = await listServed(asked);
    return [...named.filter(({ id }) => served.every((each) => each.id !== id)), ...served];
  } catch (thrown) {
    if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
    const reason = reasonOf(thrown);
    if (model === undefined) {
      throw new KernelError('unavailable', `${url} gave no list of models: ${reason}`, {
        hint: /\bstatus 40[13]\b/.test(reason)
          ? `Its key is read from ${keyName}, or from: cuervo secret set ${keyName} --for ${new URL(url).origin}`
          : 'Start the server, or check its address. If it has no list, name its model: --model NAME',
      });
    }
    warn(`${url} gave no list of models: ${reason}; ${model} is taken as it is named`);
    return named;
  }
}

function noSuch(name: string, names: readonly string[]): KernelError {
  return KernelError.unknownName(`there is no server, file or choice "${name}"`, {
    ...{ name, names, hint: 'See them with: cuervo model list' },
  });
}

/** @throws {KernelError} for a model that could not be used */
function refuseUnknown(model: string, book: ModelBook, config: Pick<Config, 'anthropic'>): void {
  if (Object.hasOwn(book.files, model) || servedModel(model, book) !== undefined) {
    const served = servedModel(model, book);
    const known = Object.keys(served?.server.models ?? {});
    if (served === undefined || known.length === 0 || known.includes(served.model)) return;
    throw KernelError.unknownName(`the server ${served.name} has no model "${served.model}"`, {
      name: served.model,
      names: known,
      hint: `It has ${known.slice(0, 5).join(', ')}; ask it again with: cuervo model add ${served.server.url} --name ${served.name}`,
    });
  }
  refuseMistaken(model, book, config);
  if (isModelFile(model) && !existsSync(expandHome(model))) {
    throw new KernelError('not-found', `there is no file ${model}`, {
      hint: 'Check the path, or see what there is with: cuervo model list',
    });
  }
}

/** An address as people write it, also without `http://`: `localhost:11434`, or a port alone. */
function addressIn(source: string): string | undefined {
  if (/^https?:\/\//i.test(source)) return source;
  const [, port, rest] =
    /^(?::?(\d{2,5})|((?:[\w.-]+|\[[\da-f:]+\]):\d{2,5}(?:\/\S*)?))$/i.exec(source) ?? [];
  if ((port ?? rest) === undefined || existsSync(source)) return undefined;
  return `http://${rest ?? `127.0.0.1:${port}`}`;
}

/** Endings that people copy with an address, and the root of Ollama's other API. */
const copiedAlong = /\/(?:(?:chat\/)?completions|models|responses|embeddings)\/*$/;
const otherRoot = /^\/api(?:\/(?:chat|generate|tags))?\/*$/;

/** Adds the path that such servers have if none is given. */
function baseUrlOf(source: string): string {
  let url: URL;
  try {
    url = new URL(source);
  } catch {
    throw new KernelError('invalid-argument', `${source} is not an address`, {
      hint: 'Write one like http://127.0.0.1:11434/v1',
    });
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new KernelError('invalid-argument', 'the address of a server takes no key or query', {
      hint: 'Put the key into a variable or a secret: docs/models.md',
    });
  }
  url.pathname = url.pathname.replace(copiedAlong, '').replace(otherRoot, '');
  if (url.pathname === '/') url.pathname = '/v1';
  return url.href.replace(/\/+$/, '');
}

/** `http://127.0.0.1:11434/v1` -> `ollama`, by its port; else the name of its host. */
function nameOf(url: string): string {
  const { hostname, port } = new URL(url);
  const byPort: Readonly<Record<string, string>> = {
    '11434': 'ollama',
    '1234': 'lmstudio',
    '8080': 'llama',
    '8000': 'vllm',
  };
  if (isOnThisMachine(url)) return byPort[port] ?? `local${port}`;
  const parts = hostname.split('.').filter((part) => !['www', 'api'].includes(part));
  return (parts.length > 1 ? parts.at(-2) : parts[0]) ?? hostname;
}

/** @throws {KernelError} `invalid-argument` */
export function refuseName(name: string): void {
  if (serverName.test(name) && name !== 'none') return;
  throw new KernelError('invalid-argument', `"${name}" is not the name of a server or a file`, {
    hint: 'Use letters, digits, dots and dashes: --name ollama',
  });
}

/** The facts about a model that need no request. */
function describe(
  model: string,
  { book, store }: KeptBook,
  { facts, config }: { facts(name: string): ModelFacts; config: Pick<Config, 'anthropic'> },
): ListedModel {
  const chosen = book.choice === model;
  const provider = providerOf(model, book);
  if (provider === undefined)
    return { model, provider: 'none', where: 'no model', remote: false, chosen };
  const served = servedModel(model, book);
  const said = served?.server.models[served.model] ?? {};
  const known = facts(model);
  const remote = provider.isRemote(model, book);
  const price = remote ? (said.price ?? known.price) : { input: 0, output: 0 };
  const tools = said.nativeTools ?? known.nativeTools;
  const sees = known.sees ?? said.sees ?? (provider.name === 'anthropic' || undefined);
  const score = store === undefined ? undefined : scoreHere(store);
  const measured = score?.measured;
  const contextTokens = said.contextTokens ?? known.contextTokens ?? measured?.contextTokens;
  return {
    model,
    provider: provider.name,
    where: whereOf(),
    remote,
    chosen,
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(tools === undefined ? {} : { tools }),
    ...(sees === undefined ? {} : { sees }),
    ...(price === undefined ? {} : { price }),
    ...(score === undefined ? {} : { role: score.role }),
    ...(measured === undefined
      ? {}
      : {
          speed: {
            readTokensPerSecond: Math.round(measured.prefill),
            writeTokensPerSecond: Math.round(measured.decode),
          },
        }),
    ...(book.pulled[model] === undefined ? {} : { from: book.pulled[model] }),
  };

  function scoreHere(store: Store): ReturnType<typeof scoreOf> {
    if (served !== undefined) return scoreOf(`${served.server.url}#${served.model}`, store);
    if (provider?.name !== 'llama') return scoreOf(model, store);
    const digest = knownDigest(whereOf(), store);
    return digest === undefined ? undefined : scoreOf(digest, store);
  }

  function whereOf(): string {
    if (served !== undefined) return served.server.url;
    if (provider?.name === 'llama') return expandHome(book.files[model] ?? model);
    return config.anthropic.baseUrl ?? 'https://api.anthropic.com';
  }
}
