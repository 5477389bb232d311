import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readTextIfPresent } from '../../lib/files/read-file.ts';
import { parseDockerConfig, parseHelperAnswer } from './parse-docker-config.ts';

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
