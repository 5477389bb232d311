import { bareText, viewsOf } from './mapped-text.ts';
import type { CopyFinder } from './read-texts.ts';
import { scan } from './scan-text.ts';
import { backwards, moved } from './secret-forms.ts';

/** HTML attributes whose value is an address. */
const attribute = String.raw`\b(?:src|href|action|formaction|poster|data|ping|background|cite)\s{0,4}`;

/** What an address goes on with: a quote within it, too, and not the one behind it. */
const more = /(?:[^\s<>"'`]|["'`](?=[\w%]))/.source;
/** An address with a scheme, or a host and path as for scp; a line of a file is not one. */
const ofAnyScheme = String.raw`(?<![a-z0-9+./-])[a-z][a-z0-9+.-]{1,255}:(?!\d+(?:[-:,]\d+)*(?:[^\w/?#@%,:-]|[,:-](?!\d)|$))${more}+`;

const linkForms: readonly string[] = [
  // In Markdown between angle brackets, where an address may hold spaces.
  String.raw`(?<=\](?:\(|:)\s{0,4}<)[^<>\n]+(?=>)`,
  // In HTML between quotes, where it may, too, and where it is read without its entities.
  ...['"', "'"].map(
    (quote) =>
      String.raw`(?<=${attribute}=\s{0,4}${quote})(?=[^${quote}\n]{0,40}(?:[:&]|[\\/]{2}))[^${quote}\n]{1,4096}(?=${quote})`,
  ),
  // An address of mail, and the user of a place on a host.
  String.raw`(?<![\w.+-])[\w.+-]{16,256}@[\w-]{1,63}(?:\.[\w-]{1,63})+`,
  // A target in Markdown: readers drop its backslashes, read its entities and mend its slashes.
  String.raw`(?<=\](?:\(|:)\s{0,4})(?:[\\/]{2}|[^\s<>/"'${'`'}]{0,40}?(?::|&#|&colon;))${more}+`,
  String.raw`(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,255}:\/\/${more}+`,
  ofAnyScheme,
  String.raw`(?<=[([{<"'=,]\s{0,4})[\\/]{2}${more}+`,
  String.raw`(?<!\S)\/\/[\w-]+(?:\.[\w-]+)+\/${more}+`,
  String.raw`(?<![\w\\])\\\\[\w-]+(?:\.[\w-]+)+\\${more}+`,
  String.raw`(?<![\w.-])www\.${more}+`,
];

/** Addresses of any scheme, and what Markdown, HTML or a reader takes for one. */
export const links = new RegExp(linkForms.join('|'), 'gi');
/** The start of an address with spaces whose end is still to come. */
export const openLink = new RegExp(
  String.raw`\](?:\(|:)\s{0,4}(?:<[^<>\n]{0,4096})?$|${attribute}(?:=\s{0,4}(?:"[^"\n]{0,4096}|'[^'\n]{0,4096})?)?$`,
  'i',
);

/** Characters of one address that are checked; a longer one is withheld. */
const maxLookedAt = 4_096;
/** Characters of one part that are kept of earlier addresses: a copy may be split among several. */
const maxTrail = 1_024;
const maxKeys = 64;

export type LeakKind = 'secret' | 'personal-data' | 'copied-text';

export type LeakSources = {
  /** whether a text that was read holds this address, and not because the model wrote it there */
  wasRead(url: string): boolean;
  /** what was read */
  copies: CopyFinder;
  /** the same without paths and long names, which an address may rightly contain */
  sentences: CopyFinder;
  /** stand-in -> the value that it hides */
  personal: ReadonlyMap<string, { value: string }>;
  holdsSecret(text: string): boolean;
};

/** Looks at the addresses of one run, one after the other. */
export type LeakFinder = (url: string) => LeakKind | undefined;

/** A part of an address, unescaped. Addresses of the same form have the same keys. */
type Part = { key: string; text: string; isPlace: boolean };

/**
 * Finds data that an address would carry away when somebody follows it or an image is loaded: a
 * secret or a stand-in anywhere in it, personal data, or a piece of a text that was read, in any of
 * its parts: scheme, user, names of the host, path, names and values behind `?` and `#`. Also
 * escaped, in base64 or hex, backwards, with other signs between the letters, and split among parts
 * or addresses. An address that was read itself carries nothing new.
 */
export function createLeakFinder(sources: LeakSources): LeakFinder {
  const { wasRead, copies, sentences, personal, holdsSecret } = sources;
  const trails = new Map<string, string>();

  const kindOf = (url: string): LeakKind | undefined => {
    if (url.length > maxLookedAt) return wasRead(url) ? undefined : 'copied-text';
    const plain = unescaped(url);
    if (holdsSecret(url) || holdsSecret(plain)) return 'secret';
    const bares = [url, plain].flatMap(viewsOf).map(({ text }) => bareText(text));
    for (const [standIn, { value }] of personal) {
      const forms = [standIn, standIn.slice(1, -1)].filter((form) => plain.includes(form));
      const bare = bareText(value);
      const isHeld = bare.length >= minPersonal && bares.some((text) => text.includes(bare));
      if (forms.length > 0 || (isHeld && !wasRead(url))) return 'personal-data';
    }
    if (wasRead(url)) return undefined;
    const parts = partsOf(plain);
    const trail = parts.map((part) => ({
      ...part,
      text: (trails.get(part.key) ?? '') + part.text,
    }));
    const places = [plain, ...textsOf(trail, true)];
    const values = [behindPath(plain), ...textsOf(trail, false)];
    const shown = bareText(plain);
    const hidden = [url, ...places, ...values]
      .flatMap(hiddenTexts)
      .filter((text) => bareText(text) !== shown);
    if ([...textsOf(parts, false), ...hidden.flatMap(printable)].some(isPersonal)) {
      return 'personal-data';
    }
    const carried = [...values, ...hidden].map(bareText);
    const placed = places.map(bareText);
    if ([...carried, ...placed].some(holdsSecret)) return 'secret';
    const isIn = (finder: CopyFinder, text: string): boolean =>
      [text, backwards(text), moved(text, 13)].some((form) => finder.holds(form));
    const isCopied =
      carried.some((text) => isIn(copies, text)) || placed.some((text) => isIn(sentences, text));
    if (isCopied) return 'copied-text';
    for (const { key, text } of trail)
      if (trails.has(key) || trails.size < maxKeys) trails.set(key, text.slice(-maxTrail));
    return undefined;
  };

  return kindOf;
}

const minPersonal = 6;

const isPersonal = (text: string): boolean => scan(text).length > 0;

/** Other readings of a text: without signs, backwards, and with numbers as character codes. */
function hiddenTexts(text: string): string[] {
  const solid = text.replace(/[^a-z0-9]+/gi, '');
  const numbers = text.match(/(?<!\d)\d{2,3}(?!\d)/g) ?? [];
  const read = [text, solid, backwards(solid)].flatMap((form) =>
    viewsOf(form).flatMap((view) => (view.text === form ? [] : [view.text])),
  );
  return [...read, numbers.map((code) => String.fromCharCode(Number(code))).join('')];
}

function printable(text: string): string[] {
  return text.match(/[\x20-\x7e]{6,}/g) ?? [];
}

/** Escapes within escapes, and spaces as forms write them. */
function unescaped(url: string): string {
  const once = (text: string): string => {
    try {
      return decodeURIComponent(text.replaceAll('+', ' '));
    } catch {
      return text;
    }
  };
  return once(once(once(url)));
}

function behindPath(plain: string): string {
  const question = plain.search(/[?#]/);
  return question < 0 ? '' : plain.slice(question + 1);
}

function textsOf(parts: readonly Part[], isPlace: boolean): string[] {
  return parts.flatMap((part) => (part.isPlace === isPlace ? [part.text] : []));
}

/** Splits an address into parts: each part by itself, and all parts of a kind joined. */
function partsOf(plain: string): Part[] {
  const question = plain.search(/[?#]/);
  const place = question < 0 ? plain : plain.slice(0, question);
  const [, scheme = '', host = '', path = place] = /^([^:/]*):?\/\/([^/]*)(.*)$/s.exec(place) ?? [];
  // The scheme and the last two names of the host are the same each time.
  const above = [
    ...(/^(?:https?|ftp)$/i.test(scheme) ? [] : [scheme]),
    ...host.split(/[.@:]/).slice(0, -2),
  ];
  const names = path.split('/').map((segment) => segment.split(/\.(?=\w{1,8}$)/));
  const segments = names.map(([name = '']) => name);
  const pairs = behindPath(plain)
    .split(/[&;?#]/)
    .map((pair) => (pair.includes('=') ? pair : `=${pair}`))
    .map((pair) => ({
      name: pair.slice(0, pair.indexOf('=')),
      value: pair.slice(pair.indexOf('=') + 1),
    }));
  const placePart = (key: string, text: string): Part => ({ key, text, isPlace: true });
  const valuePart = (key: string, text: string): Part => ({ key, text, isPlace: false });
  return [
    placePart('place', [...above, ...segments].join('')),
    ...above.map((text, at) => placePart(`host ${at}`, text)),
    ...segments.map((text, at) => placePart(`path ${at}`, text)),
    placePart('ends', names.map(([, end = '']) => end).join('')),
    valuePart('names', pairs.map(({ name }) => name).join('')),
    valuePart('values', pairs.map(({ value }) => value).join('')),
    ...pairs.map(({ name, value }) => valuePart(`value ${name}`, value)),
  ].slice(0, maxKeys);
}
