import { KernelError } from '../../contracts/error.ts';
import type { WebAnswer } from './web-client.ts';

/** @throws {KernelError} `plugin-fault` for the page that a login or a missing file is answered with */
export function requireNoPage({ headers, body, url }: WebAnswer, what: string): void {
  const isHtml =
    /^text\/html/i.test(headers['content-type'] ?? '') ||
    /^\s*<(?:!doctype|html)/i.test(body.subarray(0, 200).toString('latin1'));
  if (!isHtml) return;
  throw new KernelError('plugin-fault', `${what}: ${url.origin} answered with a web page`, {
    hint: 'Name the address of the .wasm itself.',
  });
}
