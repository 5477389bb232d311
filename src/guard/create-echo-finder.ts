import { echoTexts } from '../lib/text/echo-texts.ts';
import {
  bareText,
  bareView,
  type MappedText,
  spokenViews,
  viewsOf,
  wholeView,
} from './mapped-text.ts';
import { readDumps } from './read-texts.ts';
import { guessedKinds } from './secret-detectors.ts';
import { secretForms, spelledForms } from './secret-forms.ts';

/** Letters of a piece; shorter ones stand in any text. */
const minPiece = 4;
/** Places at which one piece is tried. */
const maxPlaces = 64;

/**
 * Whether a text holds a form of a secret in pieces, in order, with anything between them.
 *
 * @param form letters and digits alone, as the text
 */
function isSpelled(form: string, text: string): boolean {
  /** number of found letters of the form -> the earliest place in the text after them */
  const behind = new Map<number, number>([[0, 0]]);
  for (let known = 0; known + minPiece <= form.length; known += 1) {
    const from = behind.get(known);
    if (from === undefined) continue;
    const piece = form.slice(known, known + minPiece);
    let at = text.indexOf(piece, from);
    for (let place = 0; at >= 0 && place < maxPlaces; place += 1) {
      for (let length = minPiece; ; length += 1) {
        const end = known + length;
        behind.set(end, Math.min(behind.get(end) ?? text.length, at + length));
        if (end === form.length) return true;
        if (form[end] !== text[at + length]) break;
      }
      at = text.indexOf(piece, at + 1);
    }
  }
  // The rest is shorter than a piece.
  return Math.max(...behind.keys()) > form.length - minPiece;
}

/** A word longer than this is passed on in parts. */
const maxHeld = 16 * 1024;

export type WordFilter = {
  /** the part that may be shown now */
  push(delta: string): string;
  /** the rest */
  end(): string;
};

/**
 * Filters a model's words as they come. A word is checked and shown only when it is whole:
 * addresses, keys and stand-ins hold no white space, so no part of one is shown too early.
 *
 * @param look the text to show for a part, which ends at white space
 * @param openFrom where the words begin that must wait for what follows them
 */
export function createWordFilter(
  look: (part: string) => string,
  openFrom: (text: string) => number,
): WordFilter {
  let held = '';
  return {
    push: (delta) => {
      held += delta;
      const last = /\s\S*$/.exec(held.slice(-maxHeld))?.[0];
      if (last === undefined && held.length <= maxHeld) return '';
      const whole = last === undefined ? held.length : held.length - last.length + 1;
      const cut = held.length > maxHeld ? whole : Math.min(whole, openFrom(held.slice(0, whole)));
      const ready = held.slice(0, cut);
      held = held.slice(cut);
      return look(ready);
    },
    end: () => {
      const rest = held;
      held = '';
      return look(rest);
    },
  };
}

/** Secrets of one run, counting lines of key blocks. More of them only cost time. */
const maxSecrets = 1_000;
/** A line of a key block of this length is reported by itself. */
const minLineLength = 32;
/** Letters and digits of a form; shorter ones are found as they are written alone. */
const minBareLength = 10;

/** The place of a secret in a text, in whichever form it is written. */
export type Echo = { start: number; end: number; kind: string };

/** Finds secrets of a run again, however a model that obeys somebody else writes them. */
export type EchoFinder = {
  /** @returns whether it was not known */
  add(kind: string, value: string): boolean;
  /** in their order, without overlaps */
  find(text: string): Echo[];
  /** the kind of a secret that stands in a text in pieces, with other words between them */
  spelled(text: string): string | undefined;
  /**
   * where a possible beginning of a secret starts at the end of a text; without one the text's
   * length
   */
  openFrom(text: string): number;
};

/** The ways to read a text, by their names in docs/privacy.md. This list is closed, too. */
export const readings: Readonly<Record<string, (text: string) => MappedText[]>> = {
  'up to three layers of escapes, base64, base32, hex and characters that nobody sees': viewsOf,
  'every second, third or fourth character': strides,
  'a list: its words, the first or the last ones of its lines, those between, or what stands in calls or in quotes':
    listed,
  'a dump of bytes: hex, octal, decimal or binary, in both orders': readDumps,
};

/**
 * Looks through a text once for all secrets: a rolling hash over its letters and digits, as long as
 * the shortest form. Forms are compared only where the hash is known.
 */
export function createEchoFinder(): EchoFinder {
  const known = new Set<string>();
  const fresh: { kind: string; value: string }[] = [];
  const bare = new Map<number, { form: string; kind: string }[]>();
  const exact: { form: string; kind: string }[] = [];
  const inPieces: { form: string; kind: string }[] = [];

  /** Forms are made when they are needed: most runs say nothing that is looked at. */
  const prepare = (): void => {
    for (const { kind, value } of fresh.splice(0)) {
      if (bareText(value).length < minBareLength) {
        for (const form of echoTexts(value)) exact.push({ form, kind });
        continue;
      }
      for (const form of spelledForms(value)) inPieces.push({ form, kind });
      for (const form of secretForms(value, !guessedKinds.has(kind))) {
        if (form.length < minBareLength) continue;
        const hash = hashOf(form);
        const others = bare.get(hash);
        if (others === undefined) bare.set(hash, [{ form, kind }]);
        else others.push({ form, kind });
      }
    }
  };

  return {
    add: (kind, value) => {
      const parts = /\s/.test(value)
        ? value.split(/\s+|\\n/).filter(({ length }) => length >= minLineLength)
        : [value];
      const more = parts.filter((part) => !known.has(part)).slice(0, maxSecrets - known.size);
      for (const part of more) {
        known.add(part);
        fresh.push({ kind, value: part });
      }
      return more.length > 0;
    },
    find: (text) => {
      if (known.size === 0) return [];
      prepare();
      const found: Echo[] = [];
      for (const { form, kind } of exact) {
        for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length))
          found.push({ start: at, end: at + form.length, kind });
      }
      for (const spoken of spokenViews(text)) {
        for (const view of Object.values(readings).flatMap((read) => read(spoken.text))) {
          const { text: letters, start, end } = bareView(view);
          eachHash(letters, (at, hash) => {
            for (const { form, kind } of bare.get(hash) ?? []) {
              if (!letters.startsWith(form, at)) continue;
              const first = start[at] as number;
              const last = (end[at + form.length - 1] as number) - 1;
              const place = {
                start: spoken.start[first] as number,
                end: spoken.end[last] as number,
              };
              found.push({ ...place, kind });
            }
          });
        }
      }
      return merged(found);
    },
    spelled: (text) => {
      if (known.size === 0) return undefined;
      prepare();
      const { text: letters } = bareView(wholeView(text));
      return inPieces.find(({ form }) => isSpelled(form, letters))?.kind;
    },
    openFrom: (text) => {
      if (known.size === 0) return text.length;
      prepare();
      const { text: letters, start } = bareView(wholeView(text));
      const spans: { at: number; end: number }[] = [];
      eachHash(letters, (at, hash) => {
        for (const { form } of bare.get(hash) ?? []) {
          const end = at + form.length;
          const isHere =
            end > letters.length
              ? form.startsWith(letters.slice(at))
              : letters.startsWith(form, at);
          if (isHere) spans.push({ at: start[at] as number, end: start[end] ?? text.length + 1 });
        }
      });
      // A text shorter than every form may still become one.
      const short = letters.length - minBareLength + 1;
      let open = start[Math.max(0, short)] ?? text.length;
      for (;;) {
        // Show words and secrets as a whole or not yet.
        const cut = spans.reduce(
          (least, { at, end }) => (at < least && least < end ? at : least),
          wordStart(text, open),
        );
        if (cut === open) return open;
        open = cut;
      }
    },
  };
}

/** The text with something else for each secret in it, and how many of each kind stood there. */
export function withoutEcho(
  text: string,
  echoes: readonly Echo[],
): { text: string; counts: Record<string, number> } {
  let result = '';
  let from = 0;
  const counts: Record<string, number> = {};
  for (const { start, end, kind } of echoes) {
    result += `${text.slice(from, start)}[redacted: ${kind}]`;
    from = end;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return { text: result + text.slice(from), counts };
}

function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && !/\s/.test(text.charAt(start - 1))) start -= 1;
  return start;
}

/**
 * Every second, third or fourth character: a secret may be written with fillers between its
 * letters.
 */
function strides(text: string): MappedText[] {
  return [2, 3, 4].flatMap((step) =>
    Array.from({ length: step }, (_, first) => {
      const length = Math.max(0, Math.ceil((text.length - first) / step));
      const start = new Int32Array(length);
      const end = new Int32Array(length);
      let letters = '';
      for (let at = 0; at < length; at += 1) {
        const from = first + at * step;
        letters += text[from];
        start[at] = from;
        end[at] = from + 1;
      }
      return { text: letters, start, end };
    }),
  );
}

/** A word that comes this often may be a separator. */
const minRepeated = 3;

/**
 * Reads a text as a list that may spell a secret: without repeated words, without function names
 * around them, only the first or last word of each line, the words after the first or between both,
 * and only the end of each word.
 */
function listed(text: string): MappedText[] {
  const parts = [...text.matchAll(/[^\s|]+/g)].map(({ 0: word, index }) => ({ word, index }));
  const counts = new Map<string, number>();
  for (const { word } of parts) counts.set(word, (counts.get(word) ?? 0) + 1);
  const isRepeated = (word: string): boolean =>
    word.length > 1 && (counts.get(word) ?? 0) >= minRepeated;
  const isLast = (at: number): boolean => {
    const next = parts[at + 1];
    return next === undefined || text.slice(parts[at]?.index, next.index).includes('\n');
  };
  const isFirst = (at: number): boolean => at === 0 || isLast(at - 1);
  const lasts = parts.map(({ word, index }) => {
    // An expression would look for the end of a long word from each of its letters.
    let cut = word.length;
    while (cut > 0 && /[\p{L}\p{N}]/u.test(word.charAt(cut - 1))) cut -= 1;
    return { word: word.slice(cut), index: index + cut };
  });
  const inCalls = [...text.matchAll(/(?<![a-z_.])[a-z_.]{1,40}\(([^()]{1,8})\)/gi)].map(
    ({ 0: call, 1: value = '', index }) => ({
      word: value,
      index: index + call.length - 1 - value.length,
    }),
  );
  const inQuotes = [...text.matchAll(/(["'])([^"'\\]{1,8})\\?\1(?!\s{0,2}:)/g)].map(
    ({ 2: word = '', index }) => ({ word, index: index + 1 }),
  );
  return [
    inQuotes,
    parts.filter(({ word }) => !isRepeated(word)),
    parts.filter((_, at) => isFirst(at)),
    parts.filter((_, at) => !isFirst(at)),
    parts.filter((_, at) => !isFirst(at) && !isLast(at)),
    parts.filter((_, at) => isLast(at)),
    lasts,
    inCalls,
  ].map((picked) => {
    const letters = picked.map(({ word }) => word).join('');
    const start = new Int32Array(letters.length);
    let at = 0;
    for (const { word, index } of picked)
      for (let place = index; place < index + word.length; place += 1) start[at++] = place;
    return { text: letters, start, end: start.map((place) => place + 1) };
  });
}

function merged(found: readonly Echo[]): Echo[] {
  const result: Echo[] = [];
  for (const echo of found.toSorted((one, other) => one.start - other.start)) {
    const last = result.at(-1);
    if (last !== undefined && echo.start < last.end) last.end = Math.max(last.end, echo.end);
    else result.push({ ...echo });
  }
  return result;
}

const base = 16_777_619;
const leaving = Array.from({ length: minBareLength }).reduce<number>(
  (power) => Math.imul(power, base),
  1,
);

function hashOf(form: string): number {
  let hash = 0;
  for (let at = 0; at < minBareLength; at += 1)
    hash = (Math.imul(hash, base) + form.charCodeAt(at)) | 0;
  return hash;
}

/** @param visit called with each place where a form could begin, and the hash of the text there */
function eachHash(text: string, visit: (at: number, hash: number) => void): void {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) {
    hash = (Math.imul(hash, base) + text.charCodeAt(at)) | 0;
    if (at >= minBareLength)
      hash = (hash - Math.imul(leaving, text.charCodeAt(at - minBareLength))) | 0;
    if (at >= minBareLength - 1) visit(at - minBareLength + 1, hash);
  }
}
