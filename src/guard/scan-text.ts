import { addressDetectors } from './address-detectors.ts';
import type { Detector, Span } from './detector.ts';
import { type MappedText, spokenViews, viewsOf } from './mapped-text.ts';
import { columnDetectors, personDetectors } from './person-detectors.ts';
import { guessedKinds, secretDetectors } from './secret-detectors.ts';
import { backwards } from './secret-forms.ts';

/** A secret, or something that tells of a person. Spans of one text do not overlap. */
export type Finding = Span & { kind: string };

const personalDetectors: readonly Detector[] = [
  ...columnDetectors,
  ...personDetectors,
  ...addressDetectors,
];

/** First ones count where two overlap: a password in an address is not a mailbox. */
const detectors: readonly Detector[] = [...secretDetectors, ...personalDetectors];

export const secretKinds: ReadonlySet<string> = new Set(secretDetectors.map(({ kind }) => kind));

/** A stand-in of a finding. Those of secrets have no number, because secrets never come back. */
const standIns = /\[(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_\d{1,9}|redacted: [a-z0-9-]{1,40})\]/g;

/**
 * One character for each known finding. It is a word character, so that text right beside a finding
 * does not become a new word and a chain of findings ends after one look.
 */
const opaque = '_';

/** A text in which some spans are one character each, and the way back to its own offsets. */
function collapse(text: string, spans: readonly Span[]) {
  const ends: { at: number; shift: number }[] = [];
  const opaqueAt: number[] = [];
  let collapsed = '';
  let from = 0;
  for (const { start, end } of spans) {
    collapsed += text.slice(from, start) + opaque;
    from = end;
    opaqueAt.push(collapsed.length - 1);
    ends.push({ at: collapsed.length, shift: end - collapsed.length });
  }
  collapsed += text.slice(from);
  const originOf = (offset: number): number => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle]?.at ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return offset + (ends[low - 1]?.shift ?? 0);
  };
  return { collapsed, opaqueAt, originOf };
}

/** The readings of a text, the intended one first: JSON strings without their escapes. */
function spoken(text: string): [MappedText, ...MappedText[]] {
  const views = spokenViews(text);
  return isJson(text) && views.length > 1 ? (views.toReversed() as typeof views) : views;
}

function isJson(text: string): boolean {
  if (!/^\s*["[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The findings of one pass, without overlaps and without known ones. */
function look(text: string, known: readonly number[]): Finding[] {
  const taken = new Uint8Array(text.length);
  for (const at of known) taken[at] = 1;
  const found: Finding[] = [];
  for (const { kind, find } of detectors) {
    for (const { start, end } of find(text)) {
      if (taken.subarray(start, end).includes(1)) continue;
      taken.fill(1, start, end);
      found.push({ kind, start, end });
    }
  }
  return found.sort((one, other) => one.start - other.start);
}

/**
 * Secrets of known formats and personal data in a text, in their order. The scan repeats while it
 * finds something, each time with earlier findings as one character. So it also finds what a
 * neighbour hid, and a second `redact` changes nothing.
 *
 * @param options.keep kinds that are not looked for
 */
export function scan(text: string, { keep }: { keep?: ReadonlySet<string> } = {}): Finding[] {
  const [meant, ...others] = spoken(text).map((view) =>
    scanPlain(view.text).map(({ kind, start, end }) => ({
      kind,
      start: view.start[start] as number,
      end: view.end[end - 1] as number,
    })),
  );
  // An escape in front of a key hides it in the one, the letter of a path in the other.
  const secrets = others.flat().filter(({ kind }) => secretKinds.has(kind));
  const found = joinFindings(secrets, meant ?? []);
  return keep === undefined ? found : found.filter(({ kind }) => !keep.has(kind));
}

/**
 * Merges two lists in order. Overlapping findings become one that covers all; its kind is that of
 * the first list.
 */
export function joinFindings(first: readonly Finding[], then: readonly Finding[]): Finding[] {
  const result: Finding[] = [];
  const stronger = new Set(first);
  const byPlace = [...first, ...then].sort((one, other) => one.start - other.start);
  for (const finding of byPlace) {
    const last = result.at(-1);
    if (last === undefined || finding.start >= last.end) result.push({ ...finding });
    else {
      if (stronger.has(finding)) last.kind = finding.kind;
      last.end = Math.max(last.end, finding.end);
    }
  }
  return result;
}

function scanPlain(text: string): Finding[] {
  const found: Finding[] = [];
  const known: Span[] = [...text.matchAll(standIns)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
  for (;;) {
    const { collapsed, opaqueAt, originOf } = collapse(text, known);
    const fresh = look(collapsed, opaqueAt).map(({ kind, start, end }) => ({
      kind,
      start: originOf(start),
      end: originOf(end - 1) + 1,
    }));
    if (fresh.length === 0) break;
    for (const finding of fresh) {
      found.push(finding);
      known.push(finding);
    }
    known.sort((one, other) => one.start - other.start);
  }
  return found.sort((one, other) => one.start - other.start);
}

/** A secret, and what it is. */
export type Secret = { kind: string; value: string };

const keyDetectors = secretDetectors.filter(({ kind }) => !guessedKinds.has(kind));

/**
 * The secrets that a text holds: as it is, and keys of known formats also in an encoding, from behind
 * and over lines that hold nothing else.
 */
export function secretsOf(text: string): Secret[] {
  const views = spokenViews(text).map((view) => view.text);
  const [meant = text] = views.slice(-1);
  const solid = /(?<=^|\n)\S+(?:\n\S+)+/g;
  const folded = [...meant.matchAll(solid)].map(([lines]) => lines.replaceAll('\n', ''));
  const decoded = viewsOf(meant)
    .slice(1)
    .map((view) => view.text);
  const read = [...decoded, ...folded, backwards(meant)].join('\n');
  return [
    ...views.flatMap((view) => valuesOf(view, secretDetectors)),
    ...valuesOf(read, keyDetectors),
  ];
}

/** The values of secrets as they stand in a text. */
export function plainSecretsOf(text: string): Secret[] {
  return valuesOf(text, secretDetectors);
}

function valuesOf(text: string, of: readonly Detector[]): Secret[] {
  return of.flatMap(({ kind, find }) =>
    find(text).map(({ start, end }) => ({ kind, value: text.slice(start, end) })),
  );
}

/**
 * A text with stand-ins for its findings.
 *
 * @param standInOf what a finding becomes; the same value the same words
 */
export function replaceFindings(
  text: string,
  findings: readonly Finding[],
  standInOf: (kind: string, value: string) => string,
): string {
  let result = '';
  let from = 0;
  for (const { kind, start, end } of findings) {
    result += text.slice(from, start) + standInOf(kind, text.slice(start, end));
    from = end;
  }
  return result + text.slice(from);
}

/** All stand-ins, or what looks like one, in a text. */
export function standInsOf(text: string): string[] {
  return [...text.matchAll(standIns)].map(([standIn]) => standIn);
}

/** A text with something else for each stand-in, or what looks like one. */
export function mapStandIns(text: string, of: (standIn: string) => string): string {
  return text.replace(standIns, of);
}

/** The most characters of cached texts; a run of several days would need more. */
const maxCharacters = 4_000_000;

/** Caches results for texts, and forgets all of them when the limit is reached. */
export type TextCache<Value> = {
  get(text: string): Value | undefined;
  has(text: string): boolean;
  set(text: string, value: Value): void;
  clear(): void;
};

export function createTextCache<Value>(): TextCache<Value> {
  const known = new Map<string, Value>();
  let characters = 0;
  const clear = (): void => {
    known.clear();
    characters = 0;
  };
  return {
    get: (text) => known.get(text),
    has: (text) => known.has(text),
    set: (text, value) => {
      if (known.has(text)) return void known.set(text, value);
      characters += text.length;
      if (characters > maxCharacters) clear();
      known.set(text, value);
    },
    clear,
  };
}
