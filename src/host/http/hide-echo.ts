import { ServiceError } from '../../contracts/host-service.ts';
import type { Secret } from '../../contracts/secrets.ts';

/** Shorter ones would be found everywhere. */
const minFormLength = 6;

/**
 * Replaces every secret that was sent by `[secret NAME]`, in the forms in which a server is
 * likely to send it back. What a server makes up on purpose (reversed, encrypted) is not known
 * again: a secret goes to origins that its owner trusts with it.
 *
 * @param maxBytes of what is returned
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
  const strict = encodeURIComponent(value).replace(/[!'()*]/g, percent);
  const every = [...value].map(percent).join('');
  const html = value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  const hex = Buffer.from(value).toString('hex');
  const wide = Buffer.from(value, 'utf16le');
  const texts = [
    value,
    ...[encodeURIComponent(value), strict, every].flatMap((text) => [text, lowerPercent(text)]),
    strict.replaceAll('%20', '+'),
    JSON.stringify(value).slice(1, -1),
    value.replaceAll('/', '\\/'),
    html,
    html.replaceAll("'", '&#39;'),
    html.replaceAll("'", '&#x27;'),
    hex,
    hex.toUpperCase(),
    ...base64Forms(value),
    ...decodedForms(value),
  ].filter((text) => text.length >= minFormLength);
  const forms = [...new Set(texts)].map((text) => Buffer.from(text));
  return [...forms, wide, Buffer.from(wide).swap16()].sort((a, b) => b.length - a.length);
}

/**
 * Base64 of the value with 0, 1 or 2 bytes before it, without the characters that hold bits of
 * its neighbours: so it is found inside of a longer text, too.
 */
function base64Forms(value: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]);
    const whole = bytes.toString('base64');
    const from = Math.ceil((before * 8) / 6);
    const core = whole.slice(from, Math.floor((bytes.byteLength * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** A value that is base64 itself, as of a name and a password, may come back in plain. */
function decodedForms(value: string): string[] {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(value)) return [];
  const decoded = Buffer.from(value, 'base64').toString('latin1');
  return /^[\x20-\x7e]+$/.test(decoded) ? [decoded] : [];
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function lowerPercent(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase());
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
