import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KernelError } from '../contracts/error.ts';
import { formatGrant, parseGrant } from './parse-grant.ts';

function refusal(text: string): KernelError | undefined {
  try {
    parseGrant(text);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof KernelError)) throw thrown;
    expect(thrown.code).toBe('invalid-argument');
    expect(thrown.message).toMatch(/^[^\p{Cc}\u202a-\u202e\u2066-\u2069]{10,400}$/u);
    return thrown;
  }
}

describe('parseGrant()', () => {
  it.each([
    ['fs:work', { capability: 'fs', detail: 'work' }],
    ['fs-write:my-docs2', { capability: 'fs-write', detail: 'my-docs2' }],
    ['exec:git', { capability: 'exec', detail: 'git' }],
    ['exec:g++', { capability: 'exec', detail: 'g++' }],
    ['http:https://example.org', { capability: 'http', detail: 'https://example.org' }],
    ['http:https://example.org:8443', { capability: 'http', detail: 'https://example.org:8443' }],
    [
      'http:https://xn--bcher-kva.example',
      { capability: 'http', detail: 'https://xn--bcher-kva.example' },
    ],
    ['http:https://10.1.2.3', { capability: 'http', detail: 'https://10.1.2.3' }],
    ['http:http://[::1]:8080', { capability: 'http', detail: 'http://[::1]:8080' }],
    ['http:http://127.0.0.1:11434', { capability: 'http', detail: 'http://127.0.0.1:11434' }],
    ['kv', { capability: 'kv' }],
    ['memory', { capability: 'memory' }],
    ['clock', { capability: 'clock' }],
    ['random', { capability: 'random' }],
  ])('reads %s, and formatGrant() writes it', (text, grant) => {
    expect(parseGrant(text)).toEqual(grant);
    expect(formatGrant(parseGrant(text))).toBe(text);
  });

  it.each([
    ['', '"" is not a grant'],
    ['fs-read:work', '"fs-read:work" is not a grant'],
    ['FS:work', 'is not a grant'],
    ['fs', 'fs needs the name of a root, as in fs:work'],
    ['fs:', 'fs needs the name of a root'],
    ['fs:/etc', 'a root is named in small letters'],
    ['fs:..', 'a root is named in small letters'],
    ['fs:work ', 'a root is named'],
    ['fs:work\n', 'a root is named'],
    ['fs:*', 'a root is named'],
    ['exec:/bin/sh', 'without folders and arguments'],
    ['exec:git -c core.fsmonitor=x', 'without folders and arguments'],
    ['exec:-x', 'without folders and arguments'],
    ['exec:..', 'without folders and arguments'],
    ['https://example.org', 'web requests are granted as http:https://example.org'],
    ['HTTPS://Example.org/a?b', 'web requests are granted as http:https://example.org'],
    ['http://127.0.0.1:8080', 'web requests are granted as http:http://127.0.0.1:8080'],
    ['http://example.org', 'plain http is for this machine only; use https'],
    ['http:example.org', 'an origin is a scheme and a host'],
    ['http:file:///etc/passwd', 'an origin is a scheme and a host'],
    ['http:https://example.org/path', 'write the origin as https://example.org'],
    ['http:https://example.org/', 'write the origin as https://example.org'],
    ['http:https://EXAMPLE.org', 'write the origin as https://example.org'],
    ['http:https://a:b@example.org', 'write the origin as'],
    ['http:https://example.org:443', 'write the origin as https://example.org'],
    ['http:https://bücher.example', 'write the origin as https://xn--bcher-kva.example'],
    ['http:https://example.org.', 'without a dot at its end'],
    ['http:https://@example.org', 'write the origin as https://example.org'],
    ['http:https://2130706433', 'write the origin as https://127.0.0.1'],
    ['http:http://0x7f.1:8080', 'write the origin as http://127.0.0.1:8080'],
    ['http:https://[::ffff:127.0.0.1]', 'write the origin as https://[::ffff:7f00:1]'],
    ['http:http://localhost:8080', 'by its address, as in http://127.0.0.1:8080'],
    ['http:https://db.localhost', 'by its address'],
    ['http:http://10.1.2.3', 'plain http is for this machine only'],
    ['http:https://*.example.org', 'without wildcards'],
    ['http:https://$(id).org', 'without wildcards'],
    ['http:https://a;b', 'without wildcards'],
    ['http:http://example.org', 'plain http is for this machine only'],
    ['http:http://127.0.0.1.evil.org', 'plain http is for this machine only'],
    ['kv:mine', 'kv stands alone'],
    ['clock:', 'clock stands alone'],
    ['log', 'log needs no grant'],
    ['log:x', 'log needs no grant'],
    ['network', 'network cannot be granted'],
    ['network:example.org', 'network cannot be granted'],
    ['constructor', '"constructor" is not a grant'],
    ['a\u001b[2J', 'is not a grant'],
  ])('refuses %j', (text, sentence) => {
    const error = refusal(text);
    expect(error?.message).toContain(sentence);
    expect(error?.hint).toMatch(/fs:ROOT|http:https/);
  });

  it('throws invalid-argument and nothing else, and what it reads it writes again', () => {
    const name = fc.constantFrom('fs', 'fs-write', 'exec', 'http', 'kv', 'clock', 'x');
    const detail = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.stringMatching(/^[a-z-]*$/),
    );
    fc.assert(
      fc.property(name, detail, (capability, rest) => {
        const text = `${capability}:${rest}`;
        if (!refusal(text)) expect(formatGrant(parseGrant(text))).toBe(text);
      }),
      { seed: 20_261_121, numRuns: 3_000 },
    );
  });
});
