import type { Transform } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
/**
 * Node's modules for HTTP, loaded when they are used: an `import` of them reads each of their exports,
 * and with `WebSocket` all that `fetch` is made of, which every start of cuervo would pay for.
 */
export function nodeHttp(): typeof import('node:http') {
  return process.getBuiltinModule('node:http');
}

/** See {@link nodeHttp}. */
export function nodeHttps(): typeof import('node:https') {
  return process.getBuiltinModule('node:https');
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/**
 * What unpacks an answer; nothing packed is asked for, and some servers and proxies pack all the same.
 *
 * @param encoding the header `content-encoding`
 * @returns undefined for an encoding that is not known
 */
export function decoderOf(encoding: string): (() => Transform) | undefined {
  return Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
}

export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** Whether a code of Node's errors says that no trusted certificate was shown. */
export function isUntrusted(code: string): boolean {
  return /CERT|SIGNATURE|CRL|^ERR_TLS|SELF_SIGNED|_ISSUER_/.test(code);
}
