import { createHash } from 'node:crypto';
import rcompare from 'semver/functions/rcompare.js';
import maxSatisfying from 'semver/ranges/max-satisfying.js';
import validRange from 'semver/ranges/valid.js';
import { KernelError } from '../../contracts/error.ts';
import { isThisMachine } from '../../lib/net/addresses.ts';
import { escapeLine } from '../../lib/text/escape.ts';
import { npmCredential, type RegistryOptions, registryOf } from '../registry.ts';
import { readTarball, type TarballFiles } from '../unpack-tarball.ts';
import {
  type FoundPackage,
  parseAttestations,
  parsePackument,
  parsePluginEntry,
  parseSearch,
} from './parse-npm.ts';
import { packageProofs } from './parse-proof-file.ts';
import { type FetchedPlugin, type PluginSource, sourceBase } from './parse-source.ts';
import type { WebClient } from './web-client.ts';

export type NpmSource = Extract<PluginSource, { kind: 'npm' }>;
export type NpmVersion = {
  version: string;
  tarball: string;
  integrity: string;
  attestations?: string;
};

export type NpmPorts = {
  web: WebClient;
  registry: RegistryOptions;
  /** limit of the `.wasm`; the other files of a package may take as much again */
  maxPluginBytes: number;
  /** folder for interrupted downloads */
  partials: string;
  signal: AbortSignal;
};

const maxPackumentBytes = 32 * 1024 * 1024;
const maxAttestationBytes = 4 * 1024 * 1024;
const login = 'Log in with: npm login; or put a token into ~/.npmrc.';

/** What the registry knows of a package. */
export type Packument = ReturnType<typeof parsePackument>;

export async function readPackument(name: string, ports: NpmPorts): Promise<Packument> {
  const { web, registry, signal } = ports;
  const home = registryOf(name, registry);
  const url = new URL(name.replace('/', '%2f'), home);
  const what = `${name} of npm`;
  const answer = await web.send({
    ...{ url, what, signal, login, maxBytes: maxPackumentBytes },
    accept: 'application/json',
    headers: (to) => (to.host === home.host ? npmCredential(to, registry) : {}),
  });
  return parsePackument(answer.body, { name, what, from: home.origin });
}

/**
 * The version that a range or a tag means: the highest one, as npm chooses.
 *
 * @throws {KernelError} `not-found` with the versions that there are
 */
function chooseVersion({ name, range, text }: NpmSource, found: Packument): NpmVersion {
  const tagged = Object.hasOwn(found.tags, range) ? found.tags[range] : undefined;
  const versions = Object.keys(found.versions);
  const version = tagged ?? bestOf(versions, range);
  const isThere = version !== undefined && Object.hasOwn(found.versions, version);
  const chosen = isThere ? found.versions[version] : undefined;
  if (version !== undefined && chosen !== undefined) return { version, ...chosen };
  const some = versions
    .toSorted(rcompare)
    .slice(0, 5)
    .map((each) => escapeLine(each));
  const isRange = validRange(range) !== null;
  const why = isRange ? `no version of ${name} is in ${range}` : `${name} has no tag "${range}"`;
  const there =
    some.length === 0
      ? 'it has no version at all'
      : `there is ${some.join(', ')}${versions.length > 5 ? ' and older ones' : ''}`;
  throw new KernelError('not-found', `${text}: ${why}; ${there}`, {
    hint: `Name one of them: npm:${name}@${some[0] ?? 'VERSION'}`,
  });
}

/** The newest first. */
export function versionsOf({ versions }: Packument): string[] {
  return Object.keys(versions).toSorted(rcompare);
}

function bestOf(versions: readonly string[], range: string): string | undefined {
  return validRange(range) === null
    ? undefined
    : (maxSatisfying([...versions], range) ?? undefined);
}

/**
 * Brings a package: its tarball alone, checked against what the registry says of it and read in
 * memory. Nothing that it depends on is brought, and no script of it runs.
 */
export async function fetchFromNpm(
  source: NpmSource,
  ports: NpmPorts,
  expected?: { integrity?: string },
): Promise<FetchedPlugin> {
  const { web, registry, maxPluginBytes, signal, partials } = ports;
  const home = registryOf(source.name, registry);
  const found = await readPackument(source.name, ports);
  const chosen = chooseVersion(source, found);
  const exact = `npm:${source.name}@${chosen.version}`;
  const url = tarballUrl(chosen, home, exact);
  const answer = await web.send({
    ...{ url, what: exact, signal, login },
    maxBytes: maxPluginBytes * 2,
    headers: (to) => (to.host === home.host ? npmCredential(to, registry) : {}),
    resume: { folder: partials },
  });
  const packed = answer.body;
  requireIntegrity(packed, expected?.integrity ?? chosen.integrity, exact, home);
  const read = pluginOfTarball(packed, exact, maxPluginBytes);
  const { proofs, notes } = await proofsOf(chosen, source, ports);
  return {
    bytes: read.bytes,
    source: source.text,
    base: sourceBase(source),
    resolved: exact,
    version: chosen.version,
    carrier: { kind: 'npm', bytes: packed },
    proofs: [...proofs, ...packageProofs(read.files, read.path)],
    notes,
  };
}

function tarballUrl({ tarball }: NpmVersion, home: URL, what: string): URL {
  const url = URL.parse(tarball, home);
  const isSame = url?.host === home.host;
  const isWeb = url?.protocol === 'https:' && !isThisMachine(url.hostname);
  if (url !== null && (isWeb || (isSame && url.protocol === home.protocol))) return url;
  throw new KernelError(
    'permission-denied',
    `${what}: ${home.origin} says that its tarball is at ${escapeLine(tarball).slice(0, 100)}, which cuervo does not ask`,
    { hint: 'Only https addresses and the registry itself are.' },
  );
}

/** Old registries give SHA-1 alone, which proves nothing. */
function requireIntegrity(packed: Buffer, integrity: string, what: string, home: URL): void {
  const known = integrity.split(/\s+/).filter((each) => /^sha(?:256|384|512)-/.test(each));
  if (known.length === 0) {
    throw new KernelError(
      'plugin-fault',
      `${what}: ${home.origin} gives no digest to check it by`,
      {
        hint: 'None of it was kept. Ask who runs the registry, or use another one.',
      },
    );
  }
  // The strongest decides, as for npm.
  const [strongest = ''] = known.toSorted().toReversed();
  const [algorithm = '', wanted = ''] = strongest.split('-');
  const found = createHash(algorithm).update(packed).digest('base64');
  if (found === wanted.split('?')[0]) return;
  throw new KernelError(
    'plugin-fault',
    `${what}: ${home.origin} gave ${packed.byteLength} other bytes than it promised (${algorithm})`,
    { hint: 'None of it was kept. Try again, or another registry.' },
  );
}

/**
 * The one `.wasm` of a package: the one that `"cuervo": {"plugin": …}` of its package.json names, or
 * the only one there is.
 *
 * @throws {KernelError} `plugin-fault`
 */
export function pluginOfTarball(
  packed: Uint8Array,
  what: string,
  maxPluginBytes: number,
): { bytes: Buffer; path: string; files: TarballFiles } {
  const files = readTarball(packed, { what, maxBytes: maxPluginBytes * 2 });
  const entry = parsePluginEntry(files.get('package.json'), what);
  const found = [...files.keys()].filter((path) => path.toLowerCase().endsWith('.wasm'));
  const path = entry.plugin ?? found[0];
  const bytes = path === undefined ? undefined : files.get(path);
  if (path === undefined || bytes === undefined) {
    const why =
      path === undefined
        ? 'it is not a plugin: it has no .wasm'
        : `its package.json names ${escapeLine(path)}, which is not in it`;
    throw refused(what, why);
  }
  if (entry.plugin === undefined && found.length > 1) {
    const names = found.slice(0, 5).map((each) => escapeLine(each));
    throw refused(
      what,
      `it holds ${found.length} .wasm files (${names.join(', ')}) and does not say which one is the plugin`,
    );
  }
  if (bytes.byteLength > maxPluginBytes) {
    throw refused(
      what,
      `${escapeLine(path)} has ${bytes.byteLength} bytes, limit ${maxPluginBytes}`,
    );
  }
  const digest = createHash('sha256').update(bytes).digest('hex');
  if (entry.sha256 !== undefined && entry.sha256 !== digest) {
    throw refused(
      what,
      `its package.json promises ${escapeLine(path)} with SHA-256 ${entry.sha256.slice(0, 12)}…, and it has ${digest.slice(0, 12)}…`,
    );
  }
  return { bytes, path, files };
}

function refused(what: string, why: string): KernelError {
  return new KernelError('plugin-fault', `${what} is refused: ${why}`, {
    hint: 'Its author publishes plugins with: cuervo plugin publish',
  });
}

/** Npm's provenance: who built the tarball, and so the `.wasm` in it. */
async function proofsOf(
  chosen: NpmVersion,
  source: NpmSource,
  { web, registry, signal }: NpmPorts,
): Promise<Pick<FetchedPlugin, 'proofs' | 'notes'>> {
  if (chosen.attestations === undefined) return { proofs: [], notes: [] };
  const home = registryOf(source.name, registry);
  // The registry says where they are, on its own host alone.
  const at = new URL(URL.parse(chosen.attestations, home)?.pathname ?? '/', home.origin);
  const url = new URL(at.pathname, home);
  const what = `the provenance of npm:${source.name}@${chosen.version}`;
  const answer = await web.send({
    ...{ url, what, signal, login, maxBytes: maxAttestationBytes },
    accept: 'application/json',
    headers: (to) => (to.host === home.host ? npmCredential(to, registry) : {}),
  });
  return {
    proofs: parseAttestations(answer.body, what, home.origin).map((bundle) => ({
      proof: { kind: 'sigstore', bundle },
      about: 'carrier',
    })),
    notes: [],
  };
}

const maxBytes = 8 * 1024 * 1024;
const maxFound = 100;

/** Packages of the registry with the keyword of plugins; every text of them is a stranger's. */
export async function searchNpm(
  words: readonly string[],
  { web, registry, signal }: NpmPorts,
): Promise<(FoundPackage & { source: string; from: string })[]> {
  const home = registryOf('x', registry);
  const what = 'the search of npm';
  const ask = async (text: string): Promise<FoundPackage[]> => {
    const url = new URL('-/v1/search', home);
    url.searchParams.set('text', text);
    url.searchParams.set('size', String(maxFound));
    const answer = await web.send({
      ...{ url, what, maxBytes, signal },
      accept: 'application/json',
      headers: (to) => (to.host === home.host ? npmCredential(to, registry) : {}),
    });
    return parseSearch(answer.body, what, home.origin);
  };
  let found = await ask(['keywords:cuervo-plugin', ...words].join(' '));
  // Other registries than npm's own look for words alone; the keyword is looked at here, too.
  if (found.length === 0 && words.length > 0) found = await ask(words.join(' '));
  const wanted = words.map((word) => word.toLowerCase());
  return found
    .filter(({ name, description }) => {
      // Some registries do not filter by words where a keyword is named.
      const text = `${name} ${description}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    })
    .map((each) => ({ ...each, source: `npm:${each.name}`, from: home.origin }));
}
