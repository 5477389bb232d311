import { deepStrictEqual } from '@jspm/core/nodelibs/assert';

/** Functions of `node:util` that the library for it does not have. */

/** https://github.com/chalk/ansi-regex: control sequences and links of a terminal. */
const escapes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are taken away
  /[\u001b\u009b](?:\][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)|[[\]()#;?]*(?:\d{1,4}(?:[;:]\d{0,4})*)?[\dA-PR-TZcf-nq-uy=><~])/g;

export function stripVTControlCharacters(text: string): string {
  return `${text}`.replace(escapes, '');
}

/** Nobody sees what a plugin writes on a terminal of its own: the text stays plain. */
export function styleText(_format: unknown, text: string): string {
  return `${text}`;
}

export function toUSVString(text: unknown): string {
  return `${text}`.replace(/\p{Surrogate}/gu, '\ufffd');
}

export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  try {
    deepStrictEqual(one, other);
    return true;
  } catch {
    return false;
  }
}
