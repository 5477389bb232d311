import type { Json } from '../contracts/tool.ts';
import { bareText } from './mapped-text.ts';
import { stringsOf } from './read-texts.ts';
import { type Secret, secretsOf } from './scan-text.ts';
import { guessedKinds } from './secret-detectors.ts';
import { shares } from './secret-forms.ts';
import { createTextCache } from './text-cache.ts';

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
export function createResultTrail(know: (secrets: readonly Secret[]) => void): ResultTrail {
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
