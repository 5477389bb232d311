import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { KernelError } from '../../contracts/error.ts';
import { readTextIfPresent } from '../../lib/files/read-file.ts';

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
