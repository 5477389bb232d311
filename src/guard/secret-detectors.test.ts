import { describe, expect, it } from 'vitest';
import { redact } from './read-texts.ts';
import { scan } from './scan-text.ts';

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

const kindsOf = (text: string): string[] => scan(text).map(({ kind }) => kind);

describe('secretDetectors', () => {
  it.each(secrets)('find a %s', (kind, secret) => {
    expect(redact(`before ${secret}\nafter`)).toBe(`before [redacted: ${kind}]\nafter`);
  });

  it.each(kept)('leave %s', (_name, text) => {
    expect(kindsOf(text)).toEqual([]);
    expect(redact(text)).toBe(text);
  });

  it.each([
    ['DB_PASSWORD=Tr0ub4dor&3xyz', 'DB_PASSWORD=[redacted: password]'],
    ['{"apiKey": "q8Zr2Lw9Xk4TbN7v"}', '{"apiKey": "[redacted: password]"}'],
    ["client_secret: 'f81d4fae7dec11d0a765'", "client_secret: '[redacted: password]'"],
    ['postgres://app:s3cr3tpw@db:5432/x', 'postgres://app:[redacted: url-password]@db:5432/x'],
    ['Authorization: Bearer a1b2c3d4e5f6g7h8i9', 'Authorization: Bearer [redacted: bearer-token]'],
    [`aws_secret_access_key = ${rest(40)}`, 'aws_secret_access_key = [redacted: aws-secret-key]'],
  ])('find the value alone in %s', (text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });

  it('take a key block in one line of JSON, and one whose end is missing', () => {
    const oneLine = `{"key":"${pem('PRIVATE KEY').replaceAll('\n', '\\n')}","x":1}`;
    expect(redact(oneLine)).toBe('{"key":"[redacted: private-key]","x":1}');
    const cut = pem('EC PRIVATE KEY').slice(0, 80);
    expect(redact(`a\n${cut}`)).toBe('a\n[redacted: private-key]');
  });

  it('leave no part of a very long key', () => {
    expect(redact(`sk-ant-${rest(5_000)}`)).toBe('[redacted: anthropic-key]');
  });

  it('find each of several', () => {
    const text = `ghp_${rest(36)} ghp_${rest(36)} AKIA${upper(16)}`;
    expect(kindsOf(text)).toEqual(['github-token', 'github-token', 'aws-access-key']);
  });
});
