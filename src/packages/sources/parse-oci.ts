import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { KernelError } from '../../contracts/error.ts';
import { readTextIfPresent } from '../../lib/files/read-file.ts';
import { quoteText } from '../../lib/text/escape.ts';
import { fault, parseAnswer } from './parse-npm.ts';
import type { FetchedPlugin } from './parse-source.ts';

export const wasmLayer = 'application/wasm';
export const wasmConfig = 'application/vnd.wasm.config.v0+json';
export const manifestType = 'application/vnd.oci.image.manifest.v1+json';
export const indexType = 'application/vnd.oci.image.index.v1+json';
const dockerTypes = [
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
];
export const acceptedManifests = [manifestType, indexType, ...dockerTypes].join(', ');
export const bundleType = /^application\/vnd\.dev\.sigstore\.bundle(?:\.v|\+json;version=)\d/;

const digest = v.pipe(v.string(), v.regex(/^sha256:[0-9a-f]{64}$/));
const annotations = v.optional(v.record(v.string(), v.string()), {});
const descriptor = v.object({
  mediaType: v.optional(v.string(), ''),
  digest,
  size: v.pipe(v.number(), v.integer(), v.minValue(0)),
  artifactType: v.optional(v.string()),
  annotations,
  platform: v.optional(
    v.object({ architecture: v.optional(v.string()), os: v.optional(v.string()) }),
  ),
});
export type Descriptor = v.InferOutput<typeof descriptor>;

const manifest = v.object({
  mediaType: v.optional(v.string()),
  artifactType: v.optional(v.string()),
  config: v.optional(descriptor),
  layers: v.optional(v.pipe(v.array(descriptor), v.maxLength(200))),
  manifests: v.optional(v.pipe(v.array(descriptor), v.maxLength(200))),
  annotations,
});
export type OciManifest = v.InferOutput<typeof manifest>;

export function parseOciManifest(bytes: Uint8Array, what: string, from: string): OciManifest {
  const answer = parseAnswer(bytes, {
    ...{ from, of: ['layers', 'manifests'], kind: 'manifest' },
    refuse: (why) => fault(what, why),
  });
  const parsed = v.safeParse(manifest, answer, { abortEarly: true });
  if (!parsed.success) {
    const key = quoteText(v.getDotPath(parsed.issues[0]) ?? '', 80);
    throw new KernelError(
      'plugin-fault',
      `${what}: ${from} answered with a manifest that has a wrong ${key}`,
      { hint: 'None of it was kept.' },
    );
  }
  return parsed.output;
}

const token = v.object({ token: v.optional(v.string()), access_token: v.optional(v.string()) });

/** @param from the server that gives tokens for a registry */
export function parseToken(bytes: Uint8Array, what: string, from: string): string {
  const answer = parseAnswer(bytes, {
    ...{ from, of: ['token', 'access_token'], kind: 'token' },
    refuse: (why) => fault(what, why),
  });
  const parsed = v.safeParse(token, answer, { abortEarly: true });
  const found = parsed.success ? (parsed.output.token ?? parsed.output.access_token) : undefined;
  if (found !== undefined && /^[\x21-\x7e]+$/.test(found)) return found;
  throw new KernelError('permission-denied', `${what}: ${from} gave a token of no known form`, {
    hint: 'Log in again with: docker login REGISTRY',
  });
}

const proof = v.union([
  v.object({ kind: v.literal('sigstore'), bundle: v.unknown() }),
  v.object({ kind: v.literal('key'), key: v.string(), signature: v.string() }),
]);

const cached = v.object({
  source: v.string(),
  base: v.string(),
  resolved: v.string(),
  version: v.exactOptional(v.string()),
  carrier: v.exactOptional(v.picklist(['npm', 'oci'])),
  proofs: v.array(v.object({ proof, about: v.picklist(['wasm', 'carrier']) })),
});

export function parseCached(
  text: string,
): Omit<FetchedPlugin, 'bytes' | 'carrier' | 'notes'> & { carrier?: 'npm' | 'oci' } {
  return v.parse(cached, JSON.parse(text), { abortEarly: true });
}

const config = v.object({
  auths: v.optional(
    v.record(
      v.string(),
      v.object({ auth: v.optional(v.string()), identitytoken: v.optional(v.string()) }),
    ),
    {},
  ),
  credHelpers: v.optional(v.record(v.string(), v.string()), {}),
  credsStore: v.optional(v.string()),
});

/** @throws {KernelError} `invalid-argument`: what `docker login` wrote is not guessed at */
function parseDockerConfig(text: string, path: string): v.InferOutput<typeof config> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong(path, 'is not JSON');
  }
  const parsed = v.safeParse(config, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const key = v.getDotPath(parsed.issues[0]);
  throw wrong(path, key === null ? 'is not a JSON object' : `has a wrong "${key}"`);
}

const answer = v.object({
  Username: v.optional(v.string(), ''),
  Secret: v.optional(v.string(), ''),
});

function parseHelperAnswer(text: string): { Username: string; Secret: string } {
  try {
    const parsed = v.safeParse(answer, JSON.parse(text), { abortEarly: true });
    if (parsed.success) return parsed.output;
  } catch {
    // A keychain that answers with something else has no password for us.
  }
  return { Username: '', Secret: '' };
}

function wrong(path: string, why: string): KernelError {
  return new KernelError('invalid-argument', `${path} ${why}`, {
    hint: 'Log in again with: docker login REGISTRY',
  });
}

export type Credential = { user: string; password: string } | { token: string };

const helperTimeoutMs = 10_000;

/**
 * The credential of `docker login` for a registry, from its file or from the keychain that it
 * names.
 *
 * @param env of the process: `DOCKER_CONFIG`, `HOME`, `PATH`
 * @returns undefined without a login
 */
export async function dockerCredential(
  registry: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Credential | undefined> {
  const folder = env.DOCKER_CONFIG || join(env.HOME || homedir(), '.docker');
  const path = join(folder, 'config.json');
  const text = readTextIfPresent(path);
  if (text === undefined) return undefined;
  const config = parseDockerConfig(text, path);
  // Docker keeps the login of its own registry under an old address.
  const names =
    registry === 'docker.io' || registry === 'registry-1.docker.io'
      ? ['https://index.docker.io/v1/', 'docker.io', 'registry-1.docker.io']
      : [registry, `https://${registry}`, `http://${registry}`];
  for (const name of names) {
    const kept = config.auths[name];
    if (kept?.identitytoken) return { token: kept.identitytoken };
    if (kept?.auth) {
      const [user = '', ...rest] = Buffer.from(kept.auth, 'base64').toString().split(':');
      return { user, password: rest.join(':') };
    }
  }
  for (const name of names) {
    const helper = config.credHelpers[name] ?? config.credsStore;
    if (helper === undefined) continue;
    const found = await askHelper(helper, name, env);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Asks a program of Docker's keychains. A missing or failing one has no password. */
async function askHelper(
  helper: string,
  registry: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Credential | undefined> {
  if (!/^[\w.-]{1,64}$/.test(helper)) return undefined;
  const child = spawn(`docker-credential-${helper}`, ['get'], {
    env: { ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
    signal: AbortSignal.timeout(helperTimeoutMs),
  });
  let printed = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (piece: string) => {
    if (printed.length < 64 * 1024) printed += piece;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(registry);
  const code = await new Promise<number | null>((done) => {
    child.once('error', () => done(null));
    child.once('close', done);
  });
  if (code !== 0) return undefined;
  const { Username: user, Secret: secret } = parseHelperAnswer(printed);
  if (secret === '') return undefined;
  return user === '<token>' ? { token: secret } : { user, password: secret };
}
