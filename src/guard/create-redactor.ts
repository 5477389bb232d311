import { personalKinds } from '../contracts/config.ts';
import type { ModelRequest } from '../contracts/model.ts';
import type { Json } from '../contracts/tool.ts';
import type { EchoFinder } from './create-echo-finder.ts';
import type { Vault } from './create-vault.ts';
import { bareText } from './mapped-text.ts';
import { stringsOf } from './read-texts.ts';
import {
  createTextCache,
  joinFindings,
  replaceFindings,
  type Secret,
  scan,
  secretKinds,
  secretsOf,
} from './scan-text.ts';
import { guessedKinds } from './secret-detectors.ts';
import { shares } from './secret-forms.ts';

/** Redacts what a remote model is sent; a local model sees everything. */
export type Redactor = {
  know(secrets: readonly Secret[]): void;
  redacted(text: string, source: string | undefined): string;
  /** as `redacted`, for an untrusted result; checked together with the results before it */
  result(text: string, source: string): string;
  request(request: ModelRequest): ModelRequest;
  /** a value without secrets, for a local model too: other models may see kept values later */
  kept<Value>(value: Value): Value;
};

const personal: ReadonlySet<string> = new Set(personalKinds);

type Notice = (
  of: { point: 'before-model'; check: 'secret' | 'personal-data'; action: 'redacted' },
  counts: Record<string, number>,
  source?: string,
) => void;

/**
 * @param options.onFresh called when a secret becomes known: texts that were checked before may
 *   hold it
 */
export function createRedactor(options: {
  remote: boolean;
  /** kinds of personal data that may leave */
  kept: ReadonlySet<string>;
  vault: Vault;
  echoes: EchoFinder;
  notice: Notice;
  onFresh(): void;
}): Redactor {
  const { remote, kept, vault, echoes, notice, onFresh } = options;
  const point = 'before-model';
  const action = 'redacted';
  /** kinds and values that were told of */
  const told = new Set<string>();
  const clean = createTextCache<string>();

  const know: Redactor['know'] = (secrets) => {
    const fresh = secrets.filter(({ kind, value }) => echoes.add(kind, value));
    if (fresh.length === 0 || !remote) return;
    for (const secret of fresh) trail.add(secret);
    clean.clear();
    onFresh();
  };
  const trail = createResultTrail(know);

  const redacted: Redactor['redacted'] = (text, source) => {
    const before = clean.get(text);
    if (before !== undefined) return before;
    know(secretsOf(text));
    if (!remote) return text;
    const found = joinFindings(echoes.find(text), scan(text, { keep: kept }));
    const secret: Record<string, number> = {};
    const personal: Record<string, number> = {};
    for (const { kind, start, end } of found) {
      const value = `${kind} ${text.slice(start, end)}`;
      if (told.has(value)) continue;
      told.add(value);
      const counts = secretKinds.has(kind) ? secret : personal;
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
    notice({ point, check: 'secret', action }, secret, source);
    notice({ point, check: 'personal-data', action }, personal, source);
    const result = replaceFindings(text, found, vault.standInOf);
    clean.set(text, result);
    clean.set(result, result);
    return result;
  };

  const withoutSecrets = (text: string): string =>
    replaceFindings(
      text,
      joinFindings(echoes.find(text), scan(text, { keep: personal })),
      vault.standInOf,
    );

  const sendable = (text: string): string => redacted(text, undefined);

  return {
    know,
    redacted,
    result: (text, source) => {
      const shown = redacted(text, source);
      const kind = remote ? trail.completes(shown) : undefined;
      if (kind === undefined) return shown;
      if (!told.has(text)) notice({ point, check: 'secret', action }, { [kind]: 1 }, source);
      told.add(text);
      return vault.standInOf(kind, text);
    },
    request: (asked) => {
      if (!remote) return asked;
      const messages = asked.messages.map((message) => {
        if (message.role !== 'assistant' || message.raw === undefined) return message;
        // A provider accepts its raw form only unchanged, so a redacted one is left out.
        const { raw, ...said } = message;
        return JSON.stringify(withTexts(raw, sendable)) === JSON.stringify(raw) ? message : said;
      });
      return withTexts({ ...asked, messages }, sendable);
    },
    kept: (value) => withTexts(value, withoutSecrets),
  };
}

/** A value with something else for each of its texts and names. Nobody reads the bytes of images. */
function withTexts<Value>(value: Value, of: (text: string) => string): Value {
  if (typeof value === 'string') return of(value) as Value;
  if (Array.isArray(value)) return value.map((item) => withTexts(item, of)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    of(key),
    key === 'images' ? item : withTexts(item, of),
  ]);
  return Object.fromEntries(entries) as Value;
}

/** Characters at each end of a result that may be part of a key split among results. */
const maxEnd = 256;
/** How many ends of earlier results, and characters of them in all, are kept to compare. */
const maxEnds = 64;
const maxTrail = 4_096;
/** A result with more texts is a list of things, not slices of one text. */
const maxTexts = 4;
/** Longer secrets are left out: their parts come together in any text by accident. */
const maxShared = 256;
/** As many letters of a key as this number of parts holds count as the whole key. */
const enough = 4;

/** A word of a sentence: a key or its encoding does not go on across it. */
const word = /^["'(]*\p{Lu}?\p{Ll}{4,}["'),.;:!?]*\s*$/u;
const beginnings = /(?<=\s)(?=\S)/;
/** No key of a known format is shorter. */
const leastKey = 15;

/** The results of one run together: a key may be shared out among them. */
export type ResultTrail = {
  add(secret: Secret): void;
  /** @returns the kind of a key of which too much is shown with this result */
  completes(result: string): string | undefined;
};

/** @param know called with keys that no single result holds as a whole */
function createResultTrail(know: (secrets: readonly Secret[]) => void): ResultTrail {
  const forms: { kind: string; parts: (string | undefined)[]; isShown: boolean }[] = [];
  const ends: { head: string; tail: string }[] = [];
  const outcomes = createTextCache<string | undefined>();
  const seen = createTextCache<true>();
  let trail = '';

  const look = (text: string): string | undefined => {
    const head = text.slice(0, maxEnd);
    const tail = text.slice(-maxEnd);
    const short = text.length <= 2 * maxEnd ? text : `${head} ${tail}`;
    const own = { head: openHead(head), tail: openTail(tail) };
    const both = ends.flatMap((other) => [other.tail + own.head, own.tail + other.head]);
    // Results of one tool begin and end alike.
    const joints = new Set(both.filter(({ length }) => length >= leastKey));
    // Both ends stop at the nearest word, since words of one result tell nothing of another.
    const inOrder = [openTail(trail) + own.head, own.tail + openHead(trail)];
    const joined = secretsOf([...joints, ...inOrder].join('\n\n'));
    know(joined.filter(({ kind }) => !guessedKinds.has(kind)));
    const before = trail;
    trail = (trail + short).slice(-maxTrail);
    ends.push(own);
    if (ends.length > maxEnds) ends.shift();
    const letters = bareText(short);
    const all = `${bareText(before)} ${letters}`;
    const completed = forms.filter(({ parts, isShown }) => {
      const isIn = (bare: string) => (part: string | undefined) =>
        part !== undefined && bare.includes(part);
      if (!parts.some(isIn(letters))) return false;
      return isShown || isEnough(parts, isIn(all));
    });
    for (const form of completed) form.isShown = true;
    return completed[0]?.kind;
  };

  return {
    add: ({ kind, value }) => {
      if (guessedKinds.has(kind) || value.length > maxShared) return;
      for (const parts of shares(value)) forms.push({ kind, parts, isShown: false });
    },
    completes: (result) => {
      if (outcomes.has(result)) return outcomes.get(result);
      const texts = textsOf(result).filter((text) => text !== '' && !seen.has(text));
      for (const text of texts) seen.set(text, true);
      const kind = texts.map(look).find((found) => found !== undefined);
      outcomes.set(result, kind);
      return kind;
    },
  };
}

/** The start of a text, which may continue a key of an earlier text. */
function openHead(text: string): string {
  const parts = text.split(beginnings);
  const at = parts.findIndex((part, index) => index > 0 && word.test(part));
  return (at < 0 ? parts : parts.slice(0, at)).join('');
}

/** The end of a text, which may begin a key that goes on in a later text. */
function openTail(text: string): string {
  const parts = text.split(beginnings);
  const at = parts.slice(0, -1).findLastIndex((part) => word.test(part));
  return parts.slice(at + 1).join('');
}

function isEnough(
  parts: readonly (string | undefined)[],
  isIn: (part: string | undefined) => boolean,
): boolean {
  let letters = 0;
  let end = 0;
  for (const [at, part = ''] of parts.entries()) {
    if (part === '' || !isIn(part)) continue;
    letters += Math.min(part.length, at + part.length - end);
    end = at + part.length;
    if (letters >= enough * part.length) return true;
  }
  return false;
}

/** What a tool returned, without the form that it has. */
function textsOf(result: string): string[] {
  let texts: string[];
  try {
    texts = stringsOf(JSON.parse(result) as Json);
  } catch {
    texts = [result];
  }
  return (texts.length > maxTexts ? [texts.join('\n')] : texts).map((text) => text.trim());
}
