import type { ModelPrice } from '../contracts/model.ts';
import type { Store } from '../contracts/store.ts';
import type { JsonObject } from '../contracts/tool.ts';
import { isThisMachine } from '../lib/net/addresses.ts';

/** A server of models that a person added. */
export type ModelServer = {
  /** up to and with `/v1`, without a slash at its end */
  url: string;
  /** a person said that nothing leaves this machine */
  isLocal: boolean;
  /** optional fields of requests that the server refuses */
  refused?: readonly string[];
  /** what the server told of each model when it was added or last listed, by the model's id */
  models: Readonly<
    Record<
      string,
      { contextTokens?: number; nativeTools?: boolean; sees?: boolean; price?: ModelPrice }
    >
  >;
};

/** The models that a person added and chose, in `cuervo.db`. */
export type ModelBook = {
  servers: Readonly<Record<string, ModelServer>>;
  /** paths of GGUF files by a name */
  files: Readonly<Record<string, string>>;
  /** the source of a file that `model pull` brought, by the same name */
  pulled: Readonly<Record<string, { source: string; licence?: string }>>;
  /** of `model use` */
  choice: string | undefined;
};

const key = 'model-book';

/** Servers that need no `model add`: everybody means the same one by this name. */
const known: ModelBook['servers'] = {
  openai: { url: 'https://api.openai.com/v1', isLocal: false, models: {} },
};

export const emptyBook: ModelBook = {
  servers: known,
  files: {},
  pulled: {},
  choice: undefined,
};

type Settings = Pick<Store, 'getSetting' | 'setSetting'>;

export function readBook(store: Pick<Settings, 'getSetting'>): ModelBook {
  const kept = store.getSetting(key) as Partial<ModelBook> | undefined;
  return {
    servers: { ...known, ...kept?.servers },
    files: kept?.files ?? {},
    pulled: kept?.pulled ?? {},
    choice: kept?.choice ?? undefined,
  };
}

export function changeBook(store: Settings, change: Partial<ModelBook>): void {
  const { servers, files, pulled, choice } = { ...readBook(store), ...change };
  const value = { servers, files, pulled, choice: choice ?? null };
  store.setSetting(key, JSON.parse(JSON.stringify(value)) as JsonObject);
}

/** The server of a model, and the server's own name for it, if the name begins with a server's. */
export function servedModel(
  name: string,
  { servers }: Pick<ModelBook, 'servers'>,
): { name: string; server: ModelServer; model: string } | undefined {
  const at = name.indexOf('/');
  const [prefix, model] = [name.slice(0, at), name.slice(at + 1)];
  const server = Object.hasOwn(servers, prefix) ? servers[prefix] : undefined;
  if (at < 1 || model === '' || server === undefined) return undefined;
  const isLocal = server.isLocal && !isCloudModel(model);
  return { name: prefix, server: { ...server, isLocal }, model };
}

/** The variable, or secret, that holds the key of a server: `openrouter` -> `OPENROUTER_API_KEY`. */
export function keyNameOf(server: string): string {
  return `${server.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_API_KEY`;
}

/** Whether an address is on this machine. It may still forward requests; only a person can tell. */
export function isOnThisMachine(url: string): boolean {
  return isThisMachine(new URL(url).hostname);
}

/** Ollama runs models with these names in its cloud, not on this machine. */
function isCloudModel(model: string): boolean {
  return /[-:]cloud$/i.test(model);
}
