import * as v from 'valibot';
import { KernelError } from '../../contracts/error.ts';

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
export function parseDockerConfig(text: string, path: string): v.InferOutput<typeof config> {
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

export function parseHelperAnswer(text: string): { Username: string; Secret: string } {
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
