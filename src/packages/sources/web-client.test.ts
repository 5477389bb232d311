import { describe, expect, it } from 'vitest';
import { createWebClient, requireRedirect, type WebRequest } from './web-client.ts';

const request: WebRequest = {
  url: new URL('https://registry.example.org/x'),
  what: 'x',
  maxBytes: 10,
  signal: new AbortController().signal,
};
const redirect = (from: string, to: string) => () =>
  requireRedirect(new URL(from), new URL(to), request);

describe('requireRedirect()', () => {
  it.each([
    ['https://registry.example.org/x', 'http://registry.example.org/x', 'plain http'],
    ['https://registry.example.org/x', 'http://127.0.0.1:80/x', 'plain http'],
    ['https://registry.example.org/x', 'https://127.0.0.1/x', 'an address of this machine'],
    ['https://registry.example.org/x', 'https://localhost:8443/x', 'an address of this machine'],
    ['https://registry.example.org/x', 'https://[::1]/x', 'an address of this machine'],
    ['http://127.0.0.1:4873/x', 'http://example.org/x', 'plain http'],
    ['http://127.0.0.1:4873/x', 'http://127.0.0.1:5000/y', 'an address of this machine'],
    ['http://127.0.0.1:4873/x', 'https://127.0.0.1:4873/y', 'an address of this machine'],
    ['http://localhost:4873/x', 'https://[::1]:5000/y', 'an address of this machine'],
    ['https://registry.example.org/x', 'file:///etc/passwd', 'is not https'],
  ])('does not follow %s to %s', (from, to, why) => {
    expect(redirect(from, to)).toThrow(
      expect.objectContaining({ code: 'permission-denied', message: expect.stringContaining(why) }),
    );
  });

  it.each([
    ['https://registry.example.org/x', 'https://storage.example.net/y'],
    ['https://registry.example.org/x', 'https://registry.example.org/y'],
    ['http://127.0.0.1:4873/x', 'http://127.0.0.1:4873/y'],
    ['http://127.0.0.1:4873/x', 'https://storage.example.net/y'],
  ])('follows %s to %s', (from, to) => {
    expect(redirect(from, to)).not.toThrow();
  });
});

describe('createWebClient()', () => {
  const settings = { noProxy: [], strictSsl: true, idleMs: 1000 };
  it('asks nothing over plain http but this machine', async () => {
    const url = new URL('http://example.org/x');
    await expect(createWebClient(settings).send({ ...request, url })).rejects.toMatchObject({
      code: 'permission-denied',
    });
  });
});
