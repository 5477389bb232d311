import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactSecrets } from './redact-secrets.ts';

/** Deterministic characters; put together here so that no scanner takes this file for a leak. */
function characters(length: number, alphabet: string): string {
  let state = 7;
  let text = '';
  for (let i = 0; i < length; i += 1) {
    state = (state * 48_271) % 2_147_483_647;
    text += alphabet[state % alphabet.length];
  }
  return text;
}
const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const rest = (length: number): string => characters(length, alphanumeric);
const upper = (length: number): string => characters(length, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');
const pem = (label: string): string =>
  `-----BEGIN ${label}-----\n${rest(64)}\n${rest(60)}==\n-----END ${label}-----`;

const secrets: readonly (readonly [kind: string, secret: string])[] = [
  ['aws-access-key', `AKIA${upper(16)}`],
  ['github-token', `ghp_${rest(36)}`],
  ['github-token', `github_pat_${rest(22)}_${rest(59)}`],
  ['gitlab-token', `glpat-${rest(20)}`],
  ['slack-token', `xoxb-${characters(12, '0123456789')}-${rest(24)}`],
  ['slack-webhook', `https://hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${rest(24)}`],
  ['stripe-key', `sk_live_${rest(24)}`],
  ['anthropic-key', `sk-ant-api03-${rest(95)}`],
  ['openai-key', `sk-proj-${rest(48)}`],
  ['openai-key', `sk-${rest(48)}`],
  ['google-key', `AIza${rest(35)}`],
  ['npm-token', `npm_${rest(36)}`],
  ['pypi-token', `pypi-AgE${rest(80)}`],
  ['huggingface-token', `hf_${rest(34)}`],
  ['sendgrid-key', `SG.${rest(22)}.${rest(43)}`],
  ['jwt', `eyJ${rest(20)}.eyJ${rest(40)}.${rest(43)}`],
  ['private-key', pem('RSA PRIVATE KEY')],
  ['private-key', pem('OPENSSH PRIVATE KEY')],
  ['private-key', pem('PRIVATE KEY')],
];

const kept: readonly (readonly [name: string, text: string])[] = [
  ['a commit hash', 'commit 9fceb02d0ae598e95dc970b74767f19372d61af8'],
  ['a lock-file digest', `"integrity": "sha512-${rest(86)}==",`],
  ['a SHA-256', `sha256 ${characters(64, '0123456789abcdef')}`],
  ['a UUID', 'id 6f1c2f0e-3c0b-4a44-9d0c-6b3a3b1f2b11'],
  ['a type', 'password: string; token?: string; secret: Uint8Array'],
  ['code that reads a secret', 'const token = process.env.API_TOKEN_2 ?? readToken1();'],
  ['a place-holder', `password=<your-password-1> token=$${'{TOKEN_123456}'}`],
  ['a count of tokens', 'maxTokens = 20000000, tokens: 123456789'],
  ['a public key', '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----'],
  ['a URL without password', 'https://example.org:8080/a@b and git@github.com:a/b.git'],
  ['short look-alikes', 'sk-learn task-force ghp_ npm_config_registry AIza hf_hub'],
  ['a module path', "import { readAuthToken } from './auth/token-2024.ts';"],
];

describe('redactSecrets()', () => {
  it.each(secrets)('replaces a %s', (kind, secret) => {
    const redacted = redactSecrets(`before ${secret}\nafter`);
    expect(redacted.text).toBe(`before [redacted: ${kind}]\nafter`);
    expect(redacted.found).toEqual([kind]);
  });

  it.each(kept)('leaves %s', (_name, text) => {
    expect(redactSecrets(text)).toEqual({ text, found: [] });
  });

  it.each([
    ['DB_PASSWORD=Tr0ub4dor&3xyz', 'DB_PASSWORD=[redacted: password]'],
    ['{"apiKey": "q8Zr2Lw9Xk4TbN7v"}', '{"apiKey": "[redacted: password]"}'],
    ["client_secret: 'f81d4fae7dec11d0a765'", "client_secret: '[redacted: password]'"],
    ['postgres://app:s3cr3tpw@db:5432/x', 'postgres://app:[redacted: url-password]@db:5432/x'],
    ['Authorization: Bearer a1b2c3d4e5f6g7h8i9', 'Authorization: Bearer [redacted: bearer-token]'],
    [`aws_secret_access_key = ${rest(40)}`, 'aws_secret_access_key = [redacted: aws-secret-key]'],
  ])('replaces the value alone in %s', (text, redacted) => {
    expect(redactSecrets(text).text).toBe(redacted);
  });

  it('takes a key block in one line of JSON, and one whose end is missing', () => {
    const oneLine = `{"key":"${pem('PRIVATE KEY').replaceAll('\n', '\\n')}","x":1}`;
    expect(redactSecrets(oneLine).text).toBe('{"key":"[redacted: private-key]","x":1}');
    const cut = pem('EC PRIVATE KEY').slice(0, 80);
    expect(redactSecrets(`a\n${cut}`).text).toBe('a\n[redacted: private-key]');
  });

  it('leaves no part of a very long key', () => {
    expect(redactSecrets(`sk-ant-${rest(5_000)}`).text).toBe('[redacted: anthropic-key]');
  });

  it('counts each replacement', () => {
    const text = `ghp_${rest(36)} ghp_${rest(36)} AKIA${upper(16)}`;
    expect(redactSecrets(text).found).toEqual(['aws-access-key', 'github-token', 'github-token']);
  });

  it('ends on hostile texts of a megabyte', () => {
    const million = 1_000_000;
    for (const unit of [
      'eyJ-',
      'eyJa.',
      'eyJabcdefgh.eyJ',
      '-----BEGIN PRIVATE KEY-----',
      '-----BEGIN ',
      'sk-ant-',
      '://a:',
      'password=',
      'password="',
      'bearer ',
      'aws_key=',
      'token:   ',
      'AKIA',
      'a',
      '\\n-----',
      'xoxb-',
      'ghp_',
      'SG.aaaaaaaaaaaaaaaaaaaa',
      `-----BEGIN PRIVATE KEY-----a-----END PRIVATE KEY-----`,
    ]) {
      const text = unit.repeat(Math.ceil(million / unit.length));
      expect(redactSecrets(text).text.length).toBeLessThanOrEqual(text.length * 3);
    }
  });

  it('changes nothing the second time, and finds a secret between any two words', () => {
    const word = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom(...secrets.map(([, secret]) => secret)),
      fc.constantFrom('password=', 'token: "', '://u:', '@', '-----BEGIN PRIVATE KEY-----'),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const once = redactSecrets(words.join(' ')).text;
        expect(redactSecrets(once)).toEqual({ text: once, found: [] });
        for (const [, secret] of secrets) expect(once).not.toContain(secret);
      }),
    );
  });
});
