import type { ExportedPage } from '../views.ts';

/** What a view is made of. */
export type Asked = { view: string; query: Readonly<Record<string, string>> };

/** Why nothing can be shown, and what to do. */
export class LoadError extends Error {
  readonly hint: string;
  /** The server is gone, or another one: asking again is of no use until its person acts. */
  readonly isGone: boolean;

  constructor(message: string, hint: string, isGone = false) {
    super(message);
    this.hint = hint;
    this.isGone = isGone;
  }
}

export type Load = {
  get<View>(asked: Asked): Promise<View>;
  /** when the page was written; undefined where a server tells of now */
  madeMs: number | undefined;
};

const tokenKey = 'cuervo-token';

/** From the page itself where it was exported, else from its server. */
export async function openLoad(): Promise<Load> {
  const data = document.getElementById('data');
  if (data !== null) return fromExport(JSON.parse(data.textContent ?? '') as ExportedPage);
  await exchange();
  return { get: fromServer, madeMs: undefined };
}

/** Gives the address's token for one that this tab keeps; the address is worth nothing then. */
async function exchange(): Promise<void> {
  const once = location.hash.slice(1);
  if (!/^[\w-]{43}$/.test(once)) return;
  history.replaceState(null, '', '#/runs');
  const answer = await ask('/api/open', { 'x-cuervo-once': once }, 'POST');
  const { token } = (await answer.json()) as { token: string };
  sessionStorage.setItem(tokenKey, token);
}

async function fromServer<View>({ view, query }: Asked): Promise<View> {
  const token = sessionStorage.getItem(tokenKey);
  if (token === null) {
    throw new LoadError(
      'this tab has no key to the page',
      'Open the newest address that cuervo ui printed; each opens one tab.',
      true,
    );
  }
  const words = new URLSearchParams(query).toString();
  const answer = await ask(`/api/${view}?${words}`, { 'x-cuervo-token': token });
  return (await answer.json()) as View;
}

async function ask(path: string, headers: Record<string, string>, method = 'GET') {
  let answer: Response;
  try {
    answer = await fetch(path, { method, headers, redirect: 'error' });
  } catch {
    throw new LoadError(
      'cuervo ui has ended',
      'Start it again and open its address: cuervo ui',
      true,
    );
  }
  if (answer.ok) return answer;
  const { message, hint } = (await answer.json().catch(() => ({}))) as Record<string, string>;
  const isGone = answer.status === 401;
  throw new LoadError(message ?? `the server said ${answer.status}`, hint ?? '', isGone);
}

function fromExport(page: ExportedPage): Load {
  const get = async <View>({ view, query }: Asked): Promise<View> => {
    const { id = '', text = '', layer = '' } = query;
    if (view === 'run') {
      const run = page.run[id];
      if (run !== undefined) return run as View;
      throw new LoadError(
        'this run is not in the exported page',
        `See it with: cuervo runs show ${id}`,
      );
    }
    if (view === 'memory' && (text !== '' || layer !== '')) {
      const rows = page.memory.rows.filter(
        (row) =>
          (layer === '' || row.layer === layer) &&
          row.text.toLowerCase().includes(text.toLowerCase()),
      );
      return { ...page.memory, rows, text } as View;
    }
    return page[view as keyof ExportedPage] as View;
  };
  return { get, madeMs: page.madeMs };
}
