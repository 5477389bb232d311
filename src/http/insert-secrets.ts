import { KernelError } from '../contracts/error.ts';
import { ServiceError } from '../contracts/host-service.ts';
import type { Secret, Secrets } from '../contracts/secrets.ts';
import { echoTexts } from '../lib/text/echo-texts.ts';

/** Placeholders in all headers of a request. */
const maxPlaces = 8;

const placeholder = /\{\{secret:(.*?)\}\}/g;

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
  // Part of an answer could hold part of the secret, which would not be recognised.
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

/** A sealed secret gives a sentence for the guest and a command for the person. */
function findSecret(name: string, secrets: Secrets): Secret | undefined {
  try {
    return secrets.find(name);
  } catch (thrown) {
    throw sealedError(thrown);
  }
}

/** An unreadable file or key. Messages hold no value of theirs. */
export function sealedError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const { code, message, hint } = KernelError.from(thrown, 'internal');
  return new ServiceError(code === 'permission-denied' ? 'denied' : 'io', message, '', hint);
}

/**
 * Replaces every sent secret by `[secret NAME]`, in the forms in which a server is likely to send
 * it back. Deliberate disguises (reversed, encrypted) are not recognised: a secret goes to origins
 * that its owner trusts with it.
 *
 * @param maxBytes of the result
 * @returns the same bytes when there is nothing to hide
 * @throws {ServiceError} `limit`
 */
export function hideEcho(bytes: Buffer, sent: readonly Secret[], maxBytes: number): Buffer {
  let left = bytes;
  for (const { name, value } of sent) {
    const shown = Buffer.from(`[secret ${name}]`);
    for (const form of echoForms(value)) {
      left = replaceAll(left, form, shown);
      // Names can be longer than what they stand for.
      if (left.byteLength > maxBytes) {
        throw new ServiceError('limit', `the answer has more than ${maxBytes} bytes`);
      }
    }
  }
  return left;
}

/** Longest first, so that no form is spoilt by a shorter one within it. */
function echoForms(value: string): Buffer[] {
  const forms = echoTexts(value).map((text) => Buffer.from(text));
  const wide = Buffer.from(value, 'utf16le');
  return [...forms, wide, Buffer.from(wide).swap16()].sort((a, b) => b.length - a.length);
}

function replaceAll(bytes: Buffer, needle: Buffer, replacement: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (;;) {
    const at = bytes.indexOf(needle, from);
    if (at < 0) break;
    parts.push(bytes.subarray(from, at), replacement);
    from = at + needle.byteLength;
  }
  return parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(from)]);
}
