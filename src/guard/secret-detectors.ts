import { type Detector, detectorOf, type Pattern, type Span } from './detector.ts';

/** Prefixes are those that the issuers publish for secret scanning. */
const patterns: readonly Pattern[] = [
  { kind: 'aws-access-key', pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g },
  {
    kind: 'aws-secret-key',
    pattern:
      /aws_?(?:secret_?)?(?:access_?)?key(?:_id)?["']?\s{0,4}[:=]\s{0,4}["']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])/gi,
    group: 1,
  },
  { kind: 'github-token', pattern: /\bgh[pousr]_[A-Za-z0-9]{36,}/g },
  { kind: 'github-token', pattern: /\bgithub_pat_[A-Za-z0-9_]{40,}/g },
  { kind: 'gitlab-token', pattern: /\bgl(?:pat|ptt|dt|rt|cbt|oas|soat|ft)-[A-Za-z0-9_-]{20,}/g },
  { kind: 'slack-token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g },
  { kind: 'slack-token', pattern: /\bxapp-\d-[A-Za-z0-9-]{10,}/g },
  {
    kind: 'slack-webhook',
    pattern: /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/]{20,}/g,
  },
  { kind: 'stripe-key', pattern: /\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}/g },
  { kind: 'stripe-key', pattern: /\bwhsec_[A-Za-z0-9+/=]{24,}/g },
  { kind: 'anthropic-key', pattern: /\bsk-ant-[A-Za-z0-9_-]{20,}/g },
  { kind: 'openai-key', pattern: /\bsk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}/g },
  { kind: 'openai-key', pattern: /\bsk-[A-Za-z0-9]{32,}/g },
  { kind: 'google-key', pattern: /\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g },
  { kind: 'google-key', pattern: /\bGOCSPX-[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])/g },
  { kind: 'npm-token', pattern: /\bnpm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g },
  { kind: 'pypi-token', pattern: /\bpypi-AgE[A-Za-z0-9_-]{50,}/g },
  { kind: 'huggingface-token', pattern: /\bhf_[A-Za-z0-9]{30,60}(?![A-Za-z0-9])/g },
  { kind: 'sendgrid-key', pattern: /\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}/g },
  { kind: 'digitalocean-token', pattern: /\bdo[opr]_v1_[a-f0-9]{64}/g },
  { kind: 'age-key', pattern: /\bAGE-SECRET-KEY-1[A-Z0-9]{58}/g },
  {
    kind: 'jwt',
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}/g,
  },
  {
    kind: 'url-password',
    pattern: /:\/\/[^\s:@/?#"'<>]{0,64}:([^\s:@/?#"'<>]{3,128})@/g,
    group: 1,
    accept: isLiteral,
  },
  {
    kind: 'bearer-token',
    pattern: /\b(?:bearer|basic)\s{1,4}([A-Za-z0-9._~+/-]{16,}={0,2})/gi,
    group: 1,
    accept: isRandom,
  },
  {
    kind: 'password',
    pattern:
      /(?:passwo?r?d|passphrase|pwd|secret|token|credential|api[_-]?key|access[_-]?key|private[_-]?key|auth)["'`]?\s{0,4}(?:=>|:=|[:=])\s{0,4}["'`]?([^\s"'`,;]{8,})/gi,
    group: 1,
    accept: isRandom,
  },
];

/** Kinds of secrets that only the words around them show. */
export const guessedKinds: ReadonlySet<string> = new Set([
  'url-password',
  'bearer-token',
  'password',
]);

/** Not a variable or a place-holder that stands for a secret. */
function isLiteral(value: string): boolean {
  return !/^[<[{(]|[${}<>()]|^\*+$|^x+$/i.test(value);
}

/** Shannon entropy of the characters, bits each. */
function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/**
 * A value that looks random: no code, no path of names, letters and digits mixed, at least 2.8 bits
 * a character (English words of that length have about as much, but no digits).
 */
function isRandom(value: string): boolean {
  if (!isLiteral(value)) return false;
  if (/^[A-Za-z_$]+\d{0,4}[A-Za-z_$]*$/.test(value)) return false; // a name or a type
  if (/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value)) return false;
  if (/^[\w$.]+\[|^(?:https?|file|npm|git):/.test(value)) return false;
  const classes =
    Number(/[a-z]/.test(value)) +
    Number(/[A-Z]/.test(value)) +
    Number(/[^A-Za-z0-9_.-]/.test(value));
  return /\d/.test(value) && classes >= 1 && entropyBits(value) >= 2.8;
}

const pemBegin = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const pemEnd = /-----END (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;

/** Private key blocks; one without an end is taken to the end of its base64 lines. */
function findPemBlocks(text: string): Span[] {
  const spans: Span[] = [];
  if (!text.includes('PRIVATE KEY')) return spans;
  let from = 0;
  for (;;) {
    pemBegin.lastIndex = from;
    const begin = pemBegin.exec(text);
    if (begin === null) return spans;
    from = endOfPemBlock(text, begin.index + begin[0].length);
    spans.push({ start: begin.index, end: from });
  }
}

/**
 * Characters inside a block, with up to five dashes. `\\n` counts as white space: keys in JSON
 * strings and `.env` files are written so.
 */
const pemBody = /(?:[A-Za-z0-9+/=:,. \t\r\n]|\\[nr]|-(?!----))*/y;

function endOfPemBlock(text: string, start: number): number {
  pemBody.lastIndex = start;
  const stop = start + (pemBody.exec(text)?.[0].length ?? 0);
  pemEnd.lastIndex = stop;
  return stop + (pemEnd.exec(text)?.[0].length ?? 0);
}

/**
 * Keys of known formats, and random values of password-like assignments. Hashes, lock-file digests,
 * UUIDs and plain identifiers stay. Of two that overlap the first counts.
 */
export const secretDetectors: readonly Detector[] = [
  { kind: 'private-key', find: findPemBlocks },
  ...patterns.map(detectorOf),
];
