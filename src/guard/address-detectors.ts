import { isIPv6 } from 'node:net';
import { type Detector, detectorOf, type Pattern, type Span } from './detector.ts';

/** Parts of an address by RFC 5321. */
const maxLocalLength = 64;
const maxDomainLength = 253;
const localCharacter = /[\p{L}\p{N}_.+%'-]/u;
const domainCharacter = /[\p{L}\p{N}.-]/u;
const label = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

/** Domains that have no owner (RFC 2606, 6761, 6762, 7686; `internal` by ICANN). */
const reservedDomain =
  /(?:^|\.)(?:example\.(?:com|org|net)|example|test|invalid|localhost|local|internal|arpa|onion|lan)$/;

/** Endings of file and unit names that are not top-level domains of people. */
const fileEndings: ReadonlySet<string> = new Set(
  (
    'png jpg jpeg gif webp svg ico avif bmp js mjs cjs ts mts cts tsx jsx json css scss less html ' +
    'htm xml yml yaml toml txt lock tgz gz zip tar wasm map service socket timer mount slice scope ' +
    'swap device automount conf cfg ini log sql csv jar war exe dll so dylib'
  ).split(' '),
);

/** Names that programs log in by, in addresses of repositories. */
const repositoryUsers: ReadonlySet<string> = new Set(['git', 'hg', 'svn']);

/** Mail addresses, from each `@` to both sides. */
function findEmails(text: string): Span[] {
  const spans: Span[] = [];
  let free = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const span = emailAround(text, at);
    if (span === undefined || span.start < free) continue;
    spans.push(span);
    free = span.end;
  }
  return spans;
}

function emailAround(text: string, at: number): Span | undefined {
  let start = at;
  while (start > 0 && at - start <= maxLocalLength && localCharacter.test(text[start - 1] ?? ''))
    start -= 1;
  while (start < at && /[.'%-]/.test(text[start] ?? '')) start += 1;
  const local = text.slice(start, at);
  if (local === '' || local.length > maxLocalLength || /\.$|\.\./.test(local)) return undefined;
  if (repositoryUsers.has(local)) return undefined;
  // A name or a key in front of a host, as in https://KEY@host.
  if (text.slice(Math.max(0, start - 3), start) === '://') return undefined;
  // Scopes of packages: @scope/name@1.0.0.
  if (/[/\\@]/.test(text[start - 1] ?? '')) return undefined;
  let end = at + 1;
  while (end - at <= maxDomainLength + 1 && domainCharacter.test(text[end] ?? '')) end += 1;
  while (end > at + 1 && /[.-]/.test(text[end - 1] ?? '')) end -= 1;
  const domain = text.slice(at + 1, end).toLowerCase();
  // A place on a host, as scp has it.
  if (/^:[/~]/.test(text.slice(end, end + 2))) return undefined;
  return isMailDomain(domain) ? { start, end } : undefined;
}

function isMailDomain(domain: string): boolean {
  const labels = domain.split('.');
  const top = labels.at(-1) ?? '';
  if (labels.length < 2 || domain.length > maxDomainLength) return false;
  if (!labels.every((part) => label.test(part))) return false;
  if (!/^(?:\p{L}{2,24}|xn--[a-z0-9-]{2,59})$/u.test(top) || fileEndings.has(top)) return false;
  // icon@2x.pn, package@1.x
  if (/^\d+x?$/.test(labels[0] ?? '')) return false;
  return !reservedDomain.test(domain);
}

/** Words before a number with dots that is not an address. */
const numbered =
  /(?:version|ver|release|build|firmware|driver|section|clause|chapter|figure|rfc|iso|oid|kernel|revision|schema|agent|upgrade[ds]? (?:\w{1,20} )?to)\b["'`)\]]?\s{0,2}[:=#]{0,2}\s{0,2}["'`]?(?:is |of |to )?["'`]?$/i;

/** Addresses of no machine in particular: RFC 6890, 5737. */
function isSpecialIpv4(octets: readonly number[]): boolean {
  const [a = 0, b = 0, c = 0] = octets;
  return (
    a === 0 ||
    a === 127 ||
    a >= 224 ||
    (a === 192 && b === 0 && (c === 0 || c === 2)) ||
    (a === 198 && b === 51 && c === 100) ||
    (a === 203 && b === 0 && c === 113) ||
    (a === 198 && (b === 18 || b === 19))
  );
}

function isIpv4(found: string, { text, start, end }: { text: string } & Span): boolean {
  const octets = found.split('.').map(Number);
  if (octets.some((octet) => octet > 255) || /(?:^|\.)0\d/.test(found)) return false;
  if (isSpecialIpv4(octets)) return false;
  // Four single digits are a section or a version, and at most a server that everybody knows.
  if (octets.every((octet) => octet < 10)) return false;
  const before = text.slice(Math.max(0, start - 48), start);
  // PRODUCT/1.2.3.4, and words that say it is a number of something.
  if (/[A-Za-z]\/$/.test(before) || numbered.test(before)) return false;
  const bits = /^\/(\d{1,2})(?!\d)/.exec(text.slice(end, end + 4))?.[1];
  return bits === undefined || !isNetwork(octets, Number(bits));
}

/** Whether all bits after the prefix are 0: such an address stands for a range, not one machine. */
function isNetwork(octets: readonly number[], bits: number): boolean {
  if (bits >= 32) return false;
  const value = octets.reduce((sum, octet) => sum * 256 + octet, 0);
  return value % 2 ** (32 - bits) === 0;
}

/** Global, unique local and link-local addresses; no other ones belong to a single machine. */
function findIpv6(text: string): Span[] {
  const spans: Span[] = [];
  const candidate =
    /(?<![\w:.])(?:[23][0-9a-f]{3}|f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]):[0-9a-f:]{2,35}/gi;
  for (const { index, 0: found } of text.matchAll(candidate)) {
    // A single colon behind an address belongs to the sentence.
    const address = /[^:]:$/.test(found) ? found.slice(0, -1) : found;
    const end = index + address.length;
    if (!isIPv6(address) || /^2001:0?db8:/i.test(address)) continue;
    if (/\w/.test(text[end] ?? '')) continue;
    if (address.endsWith('::') && text[end] === '/') continue;
    spans.push({ start: index, end });
  }
  return spans;
}

/** The address of one network card: neither zeros nor a multicast address. */
function isMacAddress(found: string): boolean {
  const digits = found.replace(/[^0-9a-f]/gi, '');
  const isToMany = (Number.parseInt(digits.slice(0, 2), 16) & 1) === 1;
  return !isToMany && !/^0+$/.test(digits);
}

/** Ways to reach a person or a machine: mailboxes and addresses. */
const parts: readonly (Detector | Pattern)[] = [
  { kind: 'email', find: findEmails },
  {
    kind: 'ipv4',
    pattern: /(?<![\w.]|\d-)\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?![\w]|\.\w|-\d)/g,
    accept: isIpv4,
  },
  { kind: 'ipv6', find: findIpv6 },
  {
    kind: 'mac-address',
    pattern:
      /(?<![\w:-])[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}(?!\w|[:-][0-9a-f]{2}(?!\w))/gi,
    accept: isMacAddress,
  },
  {
    kind: 'mac-address',
    pattern: /(?<![\w.])[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}(?!\w|\.\w)/gi,
    accept: (found) => /[a-f]/i.test(found) && /\d/.test(found) && isMacAddress(found),
  },
];

export const addressDetectors: readonly Detector[] = parts.map(detectorOf);
