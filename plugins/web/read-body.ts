import { ToolError } from '@cuervo/sdk';

/** Whether the body of an answer is text, and its encoding if the answer says one. */
export type ContentType = { type: string; charset: string | undefined };

export function contentType(headers: readonly (readonly [string, string])[]): ContentType {
  const value = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const [type = '', ...parameters] = value.toLowerCase().split(';');
  const charset = parameters.map((each) => /^\s*charset="?([^"]*)"?\s*$/.exec(each)?.[1]);
  return { type: type.trim(), charset: charset.find((each) => each !== undefined) };
}

/** Types that a person reads as text beside `text/…`. */
const textual =
  /^text\/|[/+](?:json|xml|yaml|javascript|ecmascript|toml)$|^application\/(?:x-sh|sql)$/;

export function isHtml(type: string): boolean {
  return /^(?:text\/html|application\/xhtml\+xml)$/.test(type);
}

/** Where a page may say its encoding; browsers look no further. */
const maxMetaBytes = 1024;

/** What the 32 bytes from 0x80 are in windows-1252, which pages that say latin1 are written in. */
const windowsSigns = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** @throws {ToolError} `failed` for what is not text, or of a character set that is not known */
export function readBody(bytes: Uint8Array, { type, charset }: ContentType, url: string): string {
  if (type !== '' && !textual.test(type)) {
    throw new ToolError('failed', `${url} is ${type}, which is not text`);
  }
  if (bytes.includes(0)) throw new ToolError('failed', `${url} is not text: it holds a NUL`);
  const said = charset ?? (isHtml(type) ? charsetWithin(bytes) : undefined) ?? 'utf-8';
  if (/^(?:iso-8859-1|latin1|windows-1252|cp1252)$/.test(said)) return readLatin(bytes);
  const text = new TextDecoder().decode(bytes);
  // Most sets share the letters of ASCII.
  if (/^utf-?8$/.test(said) || !text.includes('\u{fffd}')) return text;
  throw new ToolError('failed', `${url} is written in ${said}, which is not read`);
}

/** By `<meta charset="…">`, or the older `<meta … content="text/html; charset=…">`. */
function charsetWithin(bytes: Uint8Array): string | undefined {
  const start = readLatin(bytes.subarray(0, maxMetaBytes));
  return /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(start)?.[1]?.toLowerCase();
}

function readLatin(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4096) {
    text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  }
  return text.replace(/[\x80-\x9f]/g, (sign) => windowsSigns[sign.charCodeAt(0) - 0x80] ?? sign);
}
