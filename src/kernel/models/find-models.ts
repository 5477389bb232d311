import { isOnThisMachine } from '../../models/model-book.ts';
import { listServed } from '../../models/openai/parse-server.ts';

export type FoundServer = { name: string; url: string; models: string[] };

type Environment = Readonly<Record<string, string | undefined>>;

/** The default addresses of model servers. */
const usualServers: Readonly<Record<string, string>> = {
  ollama: 'http://127.0.0.1:11434',
  'llama-server': 'http://127.0.0.1:8080',
  'lm-studio': 'http://127.0.0.1:1234',
};

const patienceMs = 1_000;

/** Finds model servers on this machine. It sends nothing to other machines. */
export async function findServers(env: Environment, signal: AbortSignal): Promise<FoundServer[]> {
  const servers = Object.entries({ ...usualServers, ...ollamaFrom(env.OLLAMA_HOST) });
  const found = servers.map(async ([name, origin]): Promise<FoundServer[]> => {
    const url = `${origin}/v1`;
    try {
      const models = await listServed({ baseUrl: url, apiKey: '', signal, timeoutMs: patienceMs });
      return [{ name, url, models: models.map(({ id }) => id) }];
    } catch {
      return []; // none listens, or it is something else
    }
  });
  return (await Promise.all(found)).flat();
}

/** Reads `OLLAMA_HOST` as Ollama does, without addresses of other machines. */
function ollamaFrom(host: string | undefined): { ollama?: string } {
  if (host === undefined || host === '') return {};
  const address = host.includes('://') ? host : `http://${host}`;
  if (!URL.canParse(address) || !isOnThisMachine(address)) return {};
  const { origin, port } = new URL(address);
  return { ollama: port === '' ? `${origin}:11434` : origin };
}
