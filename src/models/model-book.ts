import type { ModelPrice } from '../contracts/model.ts';
import type { Store } from '../contracts/store.ts';
import type { JsonObject } from '../contracts/tool.ts';
import { isThisMachine } from '../lib/net/this-machine.ts';

/** A server of models that a person added. */
export type ModelServer = {
  /** up to and with `/v1`, without a slash at its end */
  url: string;
  /** a person said that nothing leaves this machine */
  isLocal: boolean;
  /** optional fields of a request that it refuses */
  refused?: readonly string[];
  /** what it said when it was added or listed last, by the id of a model */
  models: Readonly<
    Record<string, { contextTokens?: number; nativeTools?: boolean; price?: ModelPrice }>
  >;
};

/** The models that a person added and chose, in `cuervo.db`. */
export type ModelBook = {
  servers: Readonly<Record<string, ModelServer>>;
  /** paths of GGUF files by a name */
  files: Readonly<Record<string, string>>;
  /** where a file came from that `model pull` brought, by the same name */
  pulled: Readonly<Record<string, { source: string; licence?: string }>>;
  /** of `model use` */
  choice: string | undefined;
};

const key = 'model-book';

/** Servers that need no `model add`, because there is one of their name. */
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

/** The server and its own name of a model, where the name begins with that of a server. */
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

/** Whether an address is one of this machine; only a person can say that nothing is forwarded. */
export function isOnThisMachine(url: string): boolean {
  return isThisMachine(new URL(url).hostname);
}

/** Ollama runs models of these names in its cloud, whatever else it runs. */
function isCloudModel(model: string): boolean {
  return /[-:]cloud$/i.test(model);
}
