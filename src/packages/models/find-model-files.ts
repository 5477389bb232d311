import { basename } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import { sizeText } from '../../lib/text/amounts.ts';
import type { WebClient, WebHeaders } from '../sources/web-client.ts';
import {
  type HubModel,
  isPlainPath,
  type ModelSource,
  parseHubModel,
} from './parse-model-source.ts';
export type ModelFile = {
  /** the last part of its path */
  name: string;
  url: URL;
  /** undefined where the server does not say */
  bytes: number | undefined;
  /** hex; undefined where no source tells it, so that the download cannot be checked */
  sha256: string | undefined;
};

/** A model as it is shown before it is brought. */
export type FoundModel = {
  source: string;
  /** one, or the parts of a model that was split */
  files: readonly ModelFile[];
  licence: string | undefined;
  /** below the folder of models, for its files */
  folder: readonly string[];
};

export type FindOptions = {
  web: WebClient;
  hub: URL;
  /** sent to the hub alone */
  token: string | undefined;
  signal: AbortSignal;
};

const maxAnswerBytes = 16 * 1024 * 1024;
/** A pointer of Git LFS has some 130 bytes. */
const maxPointerBytes = 1024;
const part = /-(\d{5})-of-(\d{5})\.gguf$/i;
/** The usual choice: half a byte a weight, and hardly worse than the full model. */
const usual = 'q4_k_m';
const shownFiles = 12;

/**
 * A source's offer: which files, how large, under which licence.
 *
 * @throws {KernelError} `not-found` when it has no such file, `invalid-argument` when several fit
 */
export async function findModelFiles(
  source: ModelSource,
  options: FindOptions,
): Promise<FoundModel> {
  return source.kind === 'hub' ? await onHub(source, options) : await onWeb(source, options);
}

/** The headers of each request for a file. */
export function hubHeaders({
  hub,
  token,
}: Pick<FindOptions, 'hub' | 'token'>): (url: URL) => Record<string, string> {
  return (url) =>
    token !== undefined && url.origin === hub.origin ? { authorization: `Bearer ${token}` } : {};
}

export function loginHint({ hub }: Pick<FindOptions, 'hub'>, page: string): string {
  return `Look at ${hub.origin}/${page}: its owner may want you to agree to a licence first. Then keep a token of yours: cuervo secret set HF_TOKEN --for ${hub.origin}`;
}

async function onHub(
  source: Extract<ModelSource, { kind: 'hub' }>,
  options: FindOptions,
): Promise<FoundModel> {
  const { web, hub, signal } = options;
  const { text: what, owner, name, revision } = source;
  const base = hub.href.replace(/\/+$/, '');
  const answer = await web.send({
    url: new URL(
      `${base}/api/models/${owner}/${name}/revision/${encodeURIComponent(revision)}?blobs=true`,
    ),
    what,
    maxBytes: maxAnswerBytes,
    signal,
    headers: hubHeaders(options),
    login: loginHint(options, `${owner}/${name}`),
  });
  const model = parseHubModel(answer.body, what, hub.origin);
  const files = chooseFiles(model, source);
  return {
    source: what,
    licence: model.licence,
    folder: [owner, name],
    files: files.map(({ path, bytes, sha256 }) => ({
      name: basename(path),
      url: new URL(
        `${base}/${owner}/${name}/resolve/${encodeURIComponent(model.commit ?? revision)}/${path.split('/').map(encodeURIComponent).join('/')}`,
      ),
      bytes,
      sha256,
    })),
  };
}

/** The named file, or the only one, or the usual one; with all its parts. */
function chooseFiles(
  { files }: HubModel,
  { text, owner, name, file: wanted }: Extract<ModelSource, { kind: 'hub' }>,
): HubModel['files'] {
  const all = files.filter(({ path }) => /\.gguf$/i.test(path) && isPlainPath(path));
  const firsts = all.filter(({ path }) => Number(part.exec(path)?.[1] ?? 1) === 1);
  if (firsts.length === 0) {
    throw new KernelError('not-found', `${text} has no GGUF file`, {
      hint: `Look for a copy of it in that format: many are called ${name}-GGUF.`,
    });
  }
  const stem = (path: string): string =>
    basename(path)
      .replace(part, '')
      .replace(/\.gguf$/i, '')
      .toLowerCase();
  const byWord = (word: string) =>
    firsts.filter(({ path }) => new RegExp(`(?:^|[-._])${RegExp.escape(word)}$`).test(stem(path)));
  const models = firsts.filter(({ path }) => !/(?:^|[-._])mmproj/i.test(basename(path)));
  const found =
    wanted === undefined
      ? models.length === 1
        ? models
        : byWord(usual)
      : firsts.some(({ path }) => path === wanted)
        ? firsts.filter(({ path }) => path === wanted)
        : byWord(wanted.replace(/\.gguf$/i, '').toLowerCase());
  const [one] = found;
  if (one === undefined || found.length > 1) {
    const listed = firsts
      .slice(0, shownFiles)
      .map(({ path, bytes }) => `${path}${bytes === undefined ? '' : ` (${sizeText(bytes)})`}`);
    const more = firsts.length > shownFiles ? `, and ${firsts.length - shownFiles} more` : '';
    const why = wanted === undefined ? 'has several models' : `has no one file "${wanted}"`;
    throw new KernelError(
      wanted !== undefined && one === undefined ? 'not-found' : 'invalid-argument',
      `${text} ${why}: ${listed.join(', ')}${more}`,
      {
        hint: `Name one: cuervo model pull hf:${owner}/${name}:${models[0]?.path ?? firsts[0]?.path}`,
      },
    );
  }
  const of = part.exec(one.path);
  if (of === null) return [one];
  const parts = all.filter(
    ({ path }) =>
      part.exec(path)?.[2] === of[2] && path.replace(part, '') === one.path.replace(part, ''),
  );
  if (parts.length !== Number(of[2])) {
    throw new KernelError('not-found', `${text} has ${parts.length} of ${Number(of[2])} parts`, {
      hint: 'Choose another file of it, or another model.',
    });
  }
  return parts.sort((a, b) => a.path.localeCompare(b.path));
}

async function onWeb(
  { text: what, url }: Extract<ModelSource, { kind: 'web' }>,
  { web, signal }: FindOptions,
): Promise<FoundModel> {
  const name = decodeURIComponent(basename(url.pathname));
  if (!isPlainPath(name) || !/\.gguf$/i.test(name)) {
    throw new KernelError('invalid-argument', `${what} does not end in the name of a .gguf file`, {
      hint: 'Name the address of the file itself.',
    });
  }
  const head = await web.send({
    ...{ url, what, signal, method: 'HEAD' as const, maxBytes: 0 },
    // Some servers do not support HEAD; they send the headers with the file.
    returns: [400, 403, 405, 501],
  });
  const said = head.status === 200 ? head.headers : {};
  const bytes = lengthOf(said);
  if (/^text\/html/i.test(said['content-type'] ?? '')) {
    throw new KernelError('not-found', `${what}: ${url.origin} answered with a web page`, {
      hint: 'Name the address of the .gguf file itself.',
    });
  }
  if (bytes !== undefined && bytes <= maxPointerBytes) {
    const { body } = await web.send({ url, what, signal, maxBytes: maxPointerBytes });
    const pointer = readLfsPointer(body.toString('utf8'));
    if (pointer !== undefined) {
      throw new KernelError(
        'invalid-argument',
        `${what} is a pointer of Git LFS to a file of ${sizeText(pointer)}, not the file`,
        {
          hint: 'Take the address of the download; at a hub it has /resolve/ in the place of /raw/.',
        },
      );
    }
  }
  const sha256 = [...head.passed, said].map(digestOf).find((found) => found !== undefined);
  const linked = [...head.passed].map((each) => Number(each['x-linked-size'])).find((n) => n > 0);
  return {
    source: what,
    licence: undefined,
    folder: [url.hostname.replace(/[^\w.-]/g, '_')],
    files: [{ name, url, bytes: linked ?? bytes, sha256 }],
  };
}

function lengthOf(headers: WebHeaders): number | undefined {
  const length = Number(headers['content-length'] ?? Number.NaN);
  return Number.isSafeInteger(length) ? length : undefined;
}

/** The SHA-256 that a server tells with a file, in the forms that hubs and mirrors have. */
function digestOf(headers: WebHeaders): string | undefined {
  const plain = [headers['x-linked-etag'], headers['x-checksum-sha256'], headers['x-sha256']];
  for (const text of plain) {
    const hex = /^(?:W\/)?"?([0-9a-f]{64})"?$/i.exec(text ?? '')?.[1];
    if (hex !== undefined) return hex.toLowerCase();
  }
  const coded = [headers['repr-digest'], headers.digest, headers['x-amz-checksum-sha256']];
  for (const text of coded) {
    const base64 = /^(?:.*\bsha-256=)?:?([A-Za-z0-9+/]{43}=):?/i.exec(text ?? '')?.[1];
    if (base64 !== undefined) return Buffer.from(base64, 'base64').toString('hex');
  }
  return undefined;
}

/** @returns the bytes of the file that it stands for; undefined for a text that is not a pointer */
function readLfsPointer(text: string): number | undefined {
  if (!text.startsWith('version https://git-lfs.github.com/spec/v1')) return undefined;
  const bytes = Number(/^size (\d+)$/m.exec(text)?.[1]);
  return /^oid sha256:[0-9a-f]{64}$/m.test(text) && Number.isSafeInteger(bytes) ? bytes : undefined;
}
