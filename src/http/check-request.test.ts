import { describe, expect, it } from 'vitest';
import { ServiceError } from '../contracts/host-service.ts';
import { checkHeaders, checkMethod, parseRequestUrl } from './check-request.ts';

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(ServiceError);
    return (thrown as ServiceError).tag;
  }
  return 'none';
}

describe('checkHeaders()', () => {
  it('writes names small, joins repeated ones and leaves out what the host sets anew', () => {
    const headers: [string, string][] = [
      ['Accept', 'text/html '],
      ['accept', 'text/plain'],
      ['Accept-Encoding', 'gzip'],
      ['Content-Length', '5'],
    ];
    expect(checkHeaders(headers, 5)).toEqual([['accept', 'text/html, text/plain']]);
  });

  it.each([
    ['a length that is not that of the body', 'content-length', '6'],
    ['a second length', 'Content-Length', '5, 6'],
    ['a host', 'Host', 'other.example'],
    ['a proxy', 'Proxy-Anything', 'x'],
    ['a line end', 'x-a', 'a\r\nhost: b'],
    ['a line end in what is left out', 'accept-encoding', 'a\nb'],
    ['a name with a space', 'x a', 'b'],
    ['no name', '', 'b'],
  ])('refuses %s', (_, name, value) => {
    expect(refusal(() => checkHeaders([[name, value]], 5))).toBe('invalid');
  });

  it('bounds all of them together', () => {
    const headers = (count: number): [string, string][] =>
      Array.from({ length: count }, (_, n) => [`x-${n}`, 'a'.repeat(4000)]);
    expect(checkHeaders(headers(4), 0)).toHaveLength(4);
    expect(refusal(() => checkHeaders(headers(5), 0))).toBe('limit');
  });
});

describe('checkMethod()', () => {
  it('takes the usual ones, and a body where one belongs', () => {
    expect(refusal(() => checkMethod('DELETE', true))).toBe('none');
    for (const method of ['get', 'CONNECT', 'TRACE', 'constructor', '']) {
      expect(refusal(() => checkMethod(method, false))).toBe('invalid');
    }
    expect(refusal(() => checkMethod('GET', true))).toBe('invalid');
  });
});

describe('parseRequestUrl()', () => {
  it('reads what it may be relative to, and drops the fragment', () => {
    const base = new URL('https://example.org/a/b');
    expect(parseRequestUrl('../c?d#e', base).href).toBe('https://example.org/c?d');
    expect(parseRequestUrl('HTTPS://EXAMPLE.ORG:443').href).toBe('https://example.org/');
  });

  it.each([
    ['nothing', '', 'invalid'],
    ['a file', 'file:///etc/passwd', 'invalid'],
    ['a user', 'https://user@example.org', 'invalid'],
    ['a place for a secret', 'https://example.org/{{secret:A}}', 'invalid'],
    ['an encoded place for a secret', 'https://example.org/%7B%7Bsecret:A}}', 'invalid'],
    ['plain http', 'http://example.org', 'denied'],
    ['plain http to a private address', 'http://10.0.0.1', 'denied'],
    ['a name of this machine', 'https://localhost', 'denied'],
    ['a dot at the end', 'https://example.org./', 'denied'],
  ])('refuses %s', (_, text, tag) => {
    expect(refusal(() => parseRequestUrl(text))).toBe(tag);
  });
});
