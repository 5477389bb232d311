import { ServiceError } from '../contracts/host-service.ts';
import type { Secret } from '../contracts/secrets.ts';
import { echoTexts } from '../lib/text/echo-texts.ts';

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
