import { ToolError } from '@cuervo/sdk';

/** Of the body of an answer: what is read as text, and how its bytes are. */
export type ContentType = { type: string; charset: string };

export function contentType(headers: readonly (readonly [string, string])[]): ContentType {
  const value = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const [type = '', ...parameters] = value.toLowerCase().split(';');
  const charset = parameters.map((each) => /^\s*charset="?([^"]*)"?\s*$/.exec(each)?.[1]);
  return { type: type.trim(), charset: charset.find((each) => each !== undefined) ?? 'utf-8' };
}

/** Types that a person reads as text beside `text/…`. */
const textual =
  /^text\/|[/+](?:json|xml|yaml|javascript|ecmascript|toml)$|^application\/(?:x-sh|sql)$/;

/** @throws {ToolError} `failed` for what is no text */
export function readBody(bytes: Uint8Array, { type, charset }: ContentType, url: string): string {
  if (type !== '' && !textual.test(type)) {
    throw new ToolError('failed', `${url} is ${type}, which is no text`);
  }
  if (bytes.includes(0)) throw new ToolError('failed', `${url} is no text: it holds a NUL`);
  const isLatin = /^(?:iso-8859-1|latin1|windows-1252|us-ascii)$/.test(charset);
  if (!isLatin) return new TextDecoder().decode(bytes);
  let text = '';
  for (let at = 0; at < bytes.length; at += 4096) {
    text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  }
  return text;
}
