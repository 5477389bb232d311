import type { SharedMemory } from '../contracts/config.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** LanceDB's option names, and the environment variables that AWS's own tools read. */
const optionNames: Readonly<Record<string, readonly string[]>> = {
  aws_access_key_id: ['AWS_ACCESS_KEY_ID'],
  aws_secret_access_key: ['AWS_SECRET_ACCESS_KEY'],
  aws_session_token: ['AWS_SESSION_TOKEN'],
  region: ['AWS_REGION', 'AWS_DEFAULT_REGION'],
  endpoint: ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL', 'AWS_ENDPOINT'],
};

/**
 * Keys come from the environment alone, never from a file. Plain HTTP is for a server on this
 * machine.
 */
export function sharedMemory(uri: string | undefined, env: Env): SharedMemory | undefined {
  if (uri === undefined) return undefined;
  const options: Record<string, string> = {};
  for (const [option, names] of Object.entries(optionNames)) {
    const value = names
      .map((name) => env[name])
      .find((found) => found !== undefined && found !== '');
    if (value !== undefined) options[option] = value;
  }
  if (isOnThisMachine(options.endpoint)) options.allow_http = 'true';
  return { uri, options };
}

function isOnThisMachine(endpoint: string | undefined): boolean {
  if (endpoint === undefined || !URL.canParse(endpoint)) return false;
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(endpoint).hostname);
}
