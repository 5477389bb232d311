import { resolve } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import { isThisMachine } from '../../lib/net/addresses.ts';
import { quoteText } from '../../lib/text/escape.ts';

/** Where a plugin comes from. `text` is how it is shown, locked and pinned. */
export type PluginSource =
  | { kind: 'file'; text: string; path: string }
  | { kind: 'https'; text: string; url: URL }
  | { kind: 'npm'; text: string; name: string; range: string }
  | { kind: 'oci'; text: string; registry: string; repository: string; reference: string };

const npmName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
/** Every range of npm, and the names of its tags; nothing that would name another source. */
const npmRange = /^[\w.*^~<>=| +-]{1,100}$/;
const ociPart = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const ociTag = /^[\w][\w.-]{0,127}$/;
export const ociDigest = /^sha256:[0-9a-f]{64}$/;

const forms =
  'Name a .wasm file, a folder, https://…, npm:NAME[@RANGE] or oci://REGISTRY/NAME[:TAG].';

/**
 * Reads what a person typed after `plugin install`.
 *
 * @param cwd relative paths start there
 * @throws {KernelError} `invalid-argument` for an address in none of the four forms
 */
export function parseSource(typed: string, cwd: string): PluginSource {
  if (typed.startsWith('npm:')) return npmSource(typed);
  if (/^oci:/i.test(typed)) return ociSource(typed);
  if (/^https?:/i.test(typed)) return webSource(typed);
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(typed)?.[1];
  if (scheme !== undefined && scheme !== 'file') {
    throw wrong(typed, `${scheme}: is not a source of plugins`);
  }
  const path = resolve(cwd, typed.replace(/^file:(?:\/\/)?/, ''));
  return { kind: 'file', text: path, path };
}

function npmSource(typed: string): PluginSource {
  const spec = typed.slice('npm:'.length);
  const at = spec.indexOf('@', 1);
  const name = at < 0 ? spec : spec.slice(0, at);
  const range = at < 0 ? 'latest' : spec.slice(at + 1).trim();
  if (!npmName.test(name) || name.length > 214) {
    throw wrong(typed, `${quoteText(name)} is not the name of an npm package`);
  }
  if (!npmRange.test(range)) {
    throw wrong(typed, `${quoteText(range)} is neither a version, a range nor a tag`);
  }
  return { kind: 'npm', text: `npm:${name}${at < 0 ? '' : `@${range}`}`, name, range };
}

function ociSource(typed: string): PluginSource {
  const match = /^oci:\/\/([^/]+)\/([^@]+?)(?::([^/:@]+))?(?:@(.+))?$/i.exec(typed);
  const [, registry = '', repository = '', tag, digest] = match ?? [];
  if (match === null || !isHost(registry)) {
    throw wrong(typed, 'it does not name a registry and a repository');
  }
  const stray = repository.split('/').find((part) => !ociPart.test(part));
  if (stray !== undefined) throw wrong(typed, `${quoteText(stray)} is not part of a repository`);
  if (tag !== undefined && !ociTag.test(tag)) throw wrong(typed, `${quoteText(tag)} is not a tag`);
  if (digest !== undefined && !ociDigest.test(digest)) {
    throw wrong(typed, `${quoteText(digest)} is not a digest like sha256:0a1b…`);
  }
  const reference = digest ?? tag ?? 'latest';
  const shown = `${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
  const text = `oci://${registry.toLowerCase()}/${repository}${shown}`;
  return { kind: 'oci', text, registry: registry.toLowerCase(), repository, reference };
}

function webSource(typed: string): PluginSource {
  const url = URL.parse(typed);
  if (url === null) throw wrong(typed, 'it is not an address');
  if (url.username !== '' || url.password !== '') {
    const hidden = typed.replace(/\/\/[^/]*@/, '//…@');
    throw wrong(hidden, 'an address of a plugin holds no user or password');
  }
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) {
    throw new KernelError('invalid-argument', `${quoteText(typed)} is not read over plain http`, {
      hint: 'Use https. Plain http is for addresses of this machine alone.',
    });
  }
  url.hash = '';
  return { kind: 'https', text: url.href, url };
}

function isHost(text: string): boolean {
  const url = URL.parse(`https://${text}`);
  return url !== null && url.pathname === '/' && url.username === '' && !/[@?#\\]/.test(text);
}

/**
 * The pinned and compared part of a source: without its version. Versions of one package have one
 * source, another package has another.
 */
export function sourceBase(source: PluginSource): string {
  if (source.kind === 'npm') return `npm:${source.name}`;
  if (source.kind === 'oci') return `oci://${source.registry}/${source.repository}`;
  if (source.kind === 'https') return source.url.origin + versionless(source.url.pathname);
  return source.path;
}

/** Releases lie at addresses that differ in their version alone. */
function versionless(path: string): string {
  return path.replace(/\bv?\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.-]+?)?(?=[/_-]|\.[a-z]+$|$)/g, '*');
}

function wrong(typed: string, why: string): KernelError {
  return new KernelError('invalid-argument', `${quoteText(typed)} is not a source: ${why}`, {
    hint: forms,
  });
}

/** A signature as it was fetched, not verified yet; see `signatures/`. */
export type CarriedProof =
  | { kind: 'sigstore'; bundle: unknown }
  | { kind: 'key'; key: string; signature: string };

/** One proof, and which bytes it has to be about. */
export type Proof = { proof: CarriedProof; about: 'wasm' | 'carrier' };

/** The package or manifest that holds the digest of a `.wasm`: a signature on it covers both. */
export type Carrier = { kind: 'npm' | 'oci'; bytes: Buffer };

/** A fetched plugin. No code of it has run. */
export type FetchedPlugin = {
  /** the `.wasm` */
  bytes: Buffer;
  /** as typed, absolute; what `update` asks again */
  source: string;
  /** the source without its version; what is pinned */
  base: string;
  /** exactly this one: `npm:csv-kit@1.2.0`, `oci://…@sha256:…`; the source where there is no such */
  resolved: string;
  /** of the package or the tag; files have none */
  version?: string;
  /** the tarball of a package, the manifest of an artifact */
  carrier?: Carrier;
  proofs: Proof[];
  /** why signatures could not be looked for; one sentence each */
  notes: string[];
};
