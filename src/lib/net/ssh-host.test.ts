import { expect, it } from 'vitest';
import { sshHost, wrongSshHost } from './addresses.ts';

it.each(['example.org', 'example.org:2222', 'my-host', '127.0.0.1', '[::1]:2222', 'a_b.example'])(
  'wrongSshHost() takes %j',
  (text) => expect(wrongSshHost(text)).toBeUndefined(),
);

it.each([
  ['', 'a host is named in full'],
  ['ssh://example.org', 'a host stands alone'],
  ['git@example.org', 'a host stands alone'],
  ['Example.org', 'small letters'],
  ['*.example.org', 'a host is named in full'],
  ['-oProxyCommand=x', 'a host is named in full'],
  ['example.org.', 'a host is named in full'],
  ['example.org:22', 'write it as ssh:example.org'],
  ['example.org:0', 'a port is a number'],
  ['example.org:65536', 'a port is a number'],
  ['example.org:2222/path', 'a port is a number'],
])('wrongSshHost() says what is wrong with %j', (text, words) => {
  expect(wrongSshHost(text)).toContain(words);
});

it('sshHost() leaves the usual port out', () => {
  expect([sshHost('Example.org'), sshHost('a', 22), sshHost('a', 2222)]).toEqual([
    'example.org',
    'a',
    'a:2222',
  ]);
});
