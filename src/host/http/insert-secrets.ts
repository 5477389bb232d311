import { KernelError } from '../../contracts/error.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import type { Secret, Secrets } from '../../contracts/secrets.ts';

/** In all headers of a request. */
const maxPlaces = 8;

const placeholder = /\{\{secret:(.*?)\}\}/g;

/** Of a request, as its headers name them. */
export function secretNames(headers: readonly (readonly [string, string])[]): string[] {
  return headers.flatMap(([, value]) =>
    [...value.matchAll(placeholder)].map(([, name = '']) => name),
  );
}

/**
 * Puts the values of secrets where the headers name them, `{{secret:NAME}}`.
 *
 * @returns the headers as they are sent, and the secrets in them
 * @throws {ServiceError} `not-found` for one that is missing, `denied` for one that is bound to
 *   other origins, `invalid` for an invalid placeholder
 */
export function insertSecrets(
  headers: readonly (readonly [string, string])[],
  { secrets, origin }: { secrets: Secrets; origin: string },
): { headers: [string, string][]; sent: Secret[] } {
  const sent = new Map<string, Secret>();
  let places = 0;
  const filled = headers.map(([name, value]): [string, string] => {
    const inserted = value.replace(placeholder, (_, wanted: string) => {
      places += 1;
      if (places > maxPlaces) {
        throw new ServiceError('limit', `more than ${maxPlaces} secrets in one request`);
      }
      const secret = secretFor(wanted, secrets, origin);
      sent.set(wanted, secret);
      return secret.value;
    });
    return [name, inserted];
  });
  // A part of an answer could hold a part of the secret, which nobody would know again.
  if (sent.size > 0 && headers.some(([name]) => name === 'range')) {
    throw new ServiceError('invalid', 'a request with a secret must not ask for a range');
  }
  return { headers: filled, sent: [...sent.values()] };
}

function secretFor(name: string, secrets: Secrets, origin: string): Secret {
  if (!/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/.test(name)) {
    throw new ServiceError('invalid', 'write a secret as {{secret:API_TOKEN}}', origin);
  }
  const secret = findSecret(name, secrets);
  if (secret === undefined) {
    const text = `there is no secret ${name}; set it with: cuervo secret set ${name} --for ${origin}`;
    throw new ServiceError('not-found', text, origin);
  }
  if (secret.origins.includes(origin)) return secret;
  throw new ServiceError('denied', `the secret ${name} is not for ${origin}`, origin);
}

/** What keeps a secret sealed is a sentence for the guest and a command for the person. */
function findSecret(name: string, secrets: Secrets): Secret | undefined {
  try {
    return secrets.find(name);
  } catch (thrown) {
    throw sealedError(thrown);
  }
}

/** Of a file or a key that cannot be read. No message of theirs holds a value. */
export function sealedError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const { code, message, hint } = KernelError.from(thrown, 'internal');
  return new ServiceError(code === 'permission-denied' ? 'denied' : 'io', message, '', hint);
}
