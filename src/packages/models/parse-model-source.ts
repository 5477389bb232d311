import * as v from 'valibot';
import { KernelError } from '../../contracts/error.ts';
import { isThisMachine } from '../../lib/net/addresses.ts';
import { quoteText } from '../../lib/text/escape.ts';
import { parseAnswer } from '../sources/parse-npm.ts';

/** Where a model comes from. `text` is how it is shown and typed again. */
export type ModelSource =
  | {
      kind: 'hub';
      text: string;
      owner: string;
      name: string;
      revision: string;
      /** a file, or the end of its name before `.gguf`, such as `Q4_K_M`; undefined: the only one */
      file: string | undefined;
    }
  | { kind: 'web'; text: string; url: URL };

const defaultHub = 'https://huggingface.co';

const part = /^[A-Za-z0-9][\w.-]{0,95}$/;
const forms = 'Write hf:OWNER/NAME, hf:OWNER/NAME:FILE.gguf, or the https address of a .gguf file.';

/**
 * Reads the argument of `model pull`. An address of a page or a file of the hub is read as the
 * hub's own form, so that its size, licence and SHA-256 are known.
 *
 * @param hub the address of the hub, or of its mirror
 * @throws {KernelError} `invalid-argument` for a text that is not an address
 */
export function parseModelSource(typed: string, hub: URL): ModelSource {
  const short = /^(?:hf|hub):(?:\/\/)?(.*)$/i.exec(typed)?.[1];
  if (short !== undefined) return hubSource(typed, short);
  if (!/^https?:/i.test(typed)) throw wrong(typed, 'it names neither the hub nor an address');
  const url = URL.parse(typed);
  if (url === null) throw wrong(typed, 'it is not an address');
  if (url.username !== '' || url.password !== '') {
    throw wrong(typed.replace(/\/\/[^/]*@/, '//…@'), 'it holds a user or a password');
  }
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) {
    throw new KernelError('invalid-argument', `${quoteText(typed)} is not read over plain http`, {
      hint: 'Use https. Plain http is for addresses of this machine alone.',
    });
  }
  url.hash = '';
  const isHub = url.origin === hub.origin || url.origin === defaultHub;
  const found = isHub
    ? /^\/([^/]+)\/([^/]+)(?:\/(?:resolve|blob|raw|tree)\/([^/]+)(?:\/(.+))?)?\/?$/.exec(
        url.pathname,
      )
    : null;
  if (found === null) return { kind: 'web', text: url.href, url };
  const [, owner = '', name = '', revision, file] = found;
  const at = revision === undefined || revision === 'main' ? '' : `@${revision}`;
  const of = file === undefined ? '' : `:${decodeURIComponent(file)}`;
  return hubSource(typed, `${owner}/${name}${at}${of}`);
}

function hubSource(typed: string, text: string): ModelSource {
  const match = /^([^/@:]+)\/([^/@:]+)(?:@([^:]+))?(?::(.+))?$/.exec(text);
  if (match === null) throw wrong(typed, 'it names no owner and model');
  const [, owner = '', name = '', revision = 'main', file] = match;
  const stray = [owner, name].find((each) => !part.test(each));
  if (stray !== undefined) throw wrong(typed, `${quoteText(stray)} is not a name at a hub`);
  if (!/^[\w][\w./-]{0,199}$/.test(revision) || revision.includes('..')) {
    throw wrong(typed, `${quoteText(revision)} is not a revision`);
  }
  if (file !== undefined && !isPlainPath(file)) {
    throw wrong(typed, `${quoteText(file)} is not the path of a file in a model`);
  }
  return { kind: 'hub', text: `hf:${text}`, owner, name, revision, file };
}

/** A path that stays below its folder, of characters that a person can read. */
export function isPlainPath(path: string): boolean {
  const parts = path.split('/');
  return parts.length <= 4 && parts.every((each) => /^[A-Za-z0-9_][\w .+()-]{0,199}$/.test(each));
}

function wrong(typed: string, why: string): KernelError {
  return new KernelError('invalid-argument', `${quoteText(typed)} is not a model source: ${why}`, {
    hint: forms,
  });
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const text = v.pipe(v.string(), v.maxLength(300));
const schema = v.object({
  sha: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/))),
  tags: v.optional(v.array(v.string()), []),
  cardData: v.optional(
    v.nullable(
      v.object({
        license: v.optional(v.union([text, v.array(text)])),
        license_name: v.optional(text),
      }),
    ),
  ),
  siblings: v.optional(
    v.array(
      v.object({
        rfilename: v.string(),
        size: v.optional(v.nullable(count)),
        lfs: v.optional(
          v.nullable(
            v.object({
              sha256: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))),
              size: v.optional(count),
            }),
          ),
        ),
      }),
    ),
    [],
  ),
});

export type HubModel = {
  /** the commit that its revision is now */
  commit: string | undefined;
  /** as its card says it; undefined where it says none */
  licence: string | undefined;
  files: readonly { path: string; bytes: number | undefined; sha256: string | undefined }[];
};

/** @throws {KernelError} `unavailable` for an answer that is not a description of a model */
export function parseHubModel(bytes: Uint8Array, what: string, from: string): HubModel {
  const answer = parseAnswer(bytes, {
    ...{ from, of: ['sha', 'siblings'], kind: 'model' },
    refuse: (why) => noHub(what, why),
  });
  const parsed = v.safeParse(schema, answer, { abortEarly: true });
  if (!parsed.success) {
    const key = v.getDotPath(parsed.issues[0]) ?? '';
    throw noHub(what, `${from} answered with a wrong ${quoteText(key, 80)}`);
  }
  const { sha, tags, cardData, siblings } = parsed.output;
  const said = cardData?.license_name ?? [cardData?.license ?? []].flat().join(', ');
  const tagged = tags.find((tag) => tag.startsWith('license:'))?.slice('license:'.length);
  return {
    commit: sha,
    licence: said === '' ? tagged : said,
    files: siblings.map(({ rfilename, size, lfs }) => ({
      path: rfilename,
      bytes: lfs?.size ?? size ?? undefined,
      sha256: lfs?.sha256,
    })),
  };
}

function noHub(what: string, why: string): KernelError {
  return new KernelError('unavailable', `${what}: ${why}`, {
    hint: 'Check the address of the hub (models.hub, --hub); a proxy or a login page may answer in its place.',
  });
}
