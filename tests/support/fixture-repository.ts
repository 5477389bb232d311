import type { Files } from './place.ts';

/** A small service as people write them: enough names and files that questions differ. */
export const fixtureRepository: Files = {
  '.gitignore': 'node_modules/\nbuild/\n',
  'package.json': '{\n  "name": "ferry",\n  "version": "2.1.0",\n  "type": "module"\n}\n',
  'README.md': `# Ferry

Ferry carries pages from one site to another. Start it with \`node src/server/start-server.ts\`.

## Configuration

Settings are read from \`ferry.toml\`; see docs/configuration.md.
`,
  'TODO.md': '# To do\n\n- publish the container image\n- write the migration guide\n',
  'docs/configuration.md': `# Configuration

| key | meaning |
|---|---|
| port | port of the server, 8080 by default |
| cache-size | pages kept in memory |
`,
  'docs/deployment.md': '# Deployment\n\nFerry runs as one process behind a reverse proxy.\n',
  'src/retry/retry-policy.ts': `/** Attempts that are made before a request is given up. */
export const maxRetries = 7;

/** First pause in milliseconds; every further one is twice as long. */
export const firstDelayMs = 250;

/** Runs \`attempt\` again after a growing pause, until it succeeds or the retry limit is reached. */
export async function retryWithBackoff<T>(attempt: () => Promise<T>): Promise<T> {
  let delayMs = firstDelayMs;
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (thrown) {
      if (count >= maxRetries) throw thrown;
      await pause(delayMs);
      delayMs *= 2;
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
`,
  'src/http/fetch-page.ts': `import { retryWithBackoff } from '../retry/retry-policy.ts';

export type Page = { url: string; body: string; etag: string | undefined };

/** Downloads one page; transient failures are tried again. */
export function fetchPage(url: string): Promise<Page> {
  return retryWithBackoff(async () => {
    const response = await fetch(url);
    if (response.status >= 500) throw new Error(\`server failed with \${response.status}\`);
    return { url, body: await response.text(), etag: response.headers.get('etag') ?? undefined };
  });
}
`,
  'src/config/read-config.ts': `import { readFileSync } from 'node:fs';

export type FerryConfig = { port: number; cacheSize: number };

/** Reads ferry.toml; a key that is not known is an error. */
export function readConfig(path: string): FerryConfig {
  const text = readFileSync(path, 'utf8');
  const values = new Map(text.split('\\n').map((line) => line.split('=') as [string, string]));
  // TODO: report the line of an unknown key
  return { port: Number(values.get('port') ?? 8080), cacheSize: Number(values.get('cache-size')) };
}
`,
  'src/cache/lru-cache.ts': `/** Keeps the most recently used entries and evicts the oldest one when it is full. */
export class LruCache<Value> {
  #entries = new Map<string, Value>();
  readonly capacity: number;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    if (this.#entries.size >= this.capacity) this.evictOldest();
    this.#entries.set(key, value);
  }

  evictOldest(): void {
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
`,
  'src/auth/refresh-token.ts': `export type Token = { value: string; expiresMs: number };

const marginMs = 60_000;

/** True when the token has expired, or will before the margin is over. */
export function isExpired(token: Token, nowMs: number): boolean {
  return token.expiresMs - marginMs <= nowMs;
}

/** Exchanges an expired token for a fresh one at the identity provider. */
export async function refreshToken(token: Token, exchange: (old: string) => Promise<Token>): Promise<Token> {
  return isExpired(token, Date.now()) ? await exchange(token.value) : token;
}
`,
  'src/queue/job-queue.ts': `export type Job = { id: string; run: () => Promise<void> };

/** Jobs run one after the other, in the order in which they came. */
export class JobQueue {
  #waiting: Job[] = [];
  #running = false;

  enqueue(job: Job): void {
    this.#waiting.push(job);
    void this.#drain();
  }

  // FIXME: a job that throws stops the queue for good
  async #drain(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) await job.run();
    this.#running = false;
  }
}
`,
  'src/server/start-server.ts': `import { createServer } from 'node:http';
import { LruCache } from '../cache/lru-cache.ts';
import { readConfig } from '../config/read-config.ts';
import { fetchPage, type Page } from '../http/fetch-page.ts';

/** Starts the HTTP server that answers from the cache first. */
export function startServer(configPath: string): void {
  const config = readConfig(configPath);
  const pages = new LruCache<Page>(config.cacheSize);
  createServer(async (request, response) => {
    const url = request.url ?? '/';
    const page = pages.get(url) ?? (await fetchPage(url));
    pages.set(url, page);
    response.end(page.body);
  }).listen(config.port);
}
`,
  'src/billing/invoice_total.py': `TAX_RATE = 0.19


def invoice_total(lines):
    """Sum of all lines of an invoice, tax included."""
    net = sum(line["amount"] * line["price"] for line in lines)
    return round(net * (1 + TAX_RATE), 2)
`,
  'tests/lru-cache.test.ts': `import { LruCache } from '../src/cache/lru-cache.ts';

// HACK: no test runner yet
const cache = new LruCache<number>(2);
cache.set('a', 1);
if (cache.get('a') !== 1) throw new Error('lost');
`,
  'tests/retry-policy.test.ts': `import { maxRetries } from '../src/retry/retry-policy.ts';

if (maxRetries < 1) throw new Error('the retry limit is too small');
`,
};
