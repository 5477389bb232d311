import { scan } from './scan-text.ts';

/** So many characters of what was read, one after the other, are no accident. */
const minCopied = 24;
/** Of one value; what is longer is looked at in its first part. */
const maxLookedAt = 2_048;

export type LeakSources = {
  /** whether this stands in a text of this run, white space aside */
  wasRead(part: string): boolean;
  /** what stands for something that was kept here */
  standIns: readonly string[];
  /** forms of secrets of this run */
  secretForms: readonly string[];
};

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Printable text that is written in base64 or hex within another. */
function unpacked(text: string): string[] {
  // A slash is a part of base64, or of a path.
  const parts = [...text.matchAll(/[A-Za-z0-9+/_-]{12,}/g), ...text.matchAll(/[\w+-]{12,}/g)];
  return parts.flatMap(({ 0: part }) => {
    const encodings = /^(?:[0-9a-f]{2})+$/i.test(part)
      ? (['hex', 'base64'] as const)
      : (['base64'] as const);
    return encodings
      .map((encoding) => Buffer.from(part, encoding).toString('utf8'))
      .filter((plain) => /^[\t\n\r\x20-\x7e\u00a0-\u024f]{6,}$/.test(plain));
  });
}

/**
 * What an address would carry away when somebody follows it or an image is loaded: a secret or a
 * stand-in anywhere in it, personal data or a piece of what was read behind `?` or `#`, plain,
 * escaped, in base64 or hex. An address that stands in the texts of this run carries nothing new.
 */
export function findLeak(
  url: string,
  sources: LeakSources,
): 'secret' | 'personal-data' | 'copied-text' | undefined {
  const plain = decoded(decoded(url));
  const all = [url, plain, ...unpacked(plain)];
  const isIn = (part: string): boolean => all.some((text) => text.includes(part));
  if (sources.secretForms.some(isIn)) return 'secret';
  if (sources.standIns.some((standIn) => isIn(standIn) || isIn(standIn.slice(1, -1)))) {
    return 'personal-data';
  }
  if (sources.wasRead(url)) return undefined;
  const question = plain.search(/[?#]/);
  const parts = [...(question < 0 ? [] : [plain.slice(question + 1)]), ...unpacked(plain)];
  if (parts.some((part) => scan(part).length > 0)) return 'personal-data';
  return parts.some((part) => isCopied(part, sources)) ? 'copied-text' : undefined;
}

function isCopied(part: string, { wasRead }: LeakSources): boolean {
  for (const value of part.slice(0, maxLookedAt).split(/[&;=?#]/)) {
    for (let at = 0; at + minCopied <= value.length; at += minCopied / 3) {
      if (wasRead(value.slice(at, at + minCopied))) return true;
    }
  }
  return false;
}
