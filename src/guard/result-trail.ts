import type { Json } from '../contracts/tool.ts';
import { bareText } from './mapped-text.ts';
import { type Secret, secretsOf } from './scan-text.ts';
import { guessedKinds } from './secret-detectors.ts';
import { shares } from './secret-forms.ts';
import { stringsOf } from './strings-of.ts';
import { createTextCache } from './text-cache.ts';

/** Characters at the ends of a result that may go on in another one. */
const maxEnd = 256;
/** Ends of earlier results, and characters of them together, that a result is looked at with. */
const maxEnds = 64;
const maxTrail = 4_096;
/** A result with more texts than a program's has no slices, but a list of things. */
const maxTexts = 4;
/** Parts of a longer one come together in any text by accident. */
const maxShared = 256;
/** Letters that so many parts have tell of a key as the whole does. */
const enough = 4;

/** The results of one run together: a key may be shared out among them. */
export type ResultTrail = {
  add(secret: Secret): void;
  /** @returns the kind of a key of which too much is shown with this result */
  completes(result: string): string | undefined;
};

/** @param know told of keys that no result holds as a whole */
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
    // Results of one tool begin and end alike.
    const joints = new Set(ends.flatMap((other) => [other.tail + head, tail + other.head]));
    // Words of one result say nothing of what another begins with.
    const joined = secretsOf([...joints, trail + head, tail + trail].join('\n\n'));
    know(joined.filter(({ kind }) => !guessedKinds.has(kind)));
    const before = trail;
    trail = (trail + short).slice(-maxTrail);
    ends.push({ head, tail });
    if (ends.length > maxEnds) ends.shift();
    const own = bareText(short);
    const all = `${bareText(before)} ${own}`;
    const completed = forms.filter(({ parts, isShown }) => {
      const isIn = (letters: string) => (part: string | undefined) =>
        part !== undefined && letters.includes(part);
      if (!parts.some(isIn(own))) return false;
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
