import { addressDetectors } from './address-detectors.ts';
import { columnDetectors } from './column-detectors.ts';
import type { Detector, Span } from './detector.ts';
import { personDetectors } from './person-detectors.ts';
import { secretDetectors } from './secret-detectors.ts';

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
 * One character in the place of what is known already. A part of a word, so that what stood beside
 * it without a gap begins nothing of its own now, either: a chain is looked through once.
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
 * Secrets of known formats and personal data in a text, in their order. It is looked at again as
 * long as something is found, with what was found as one character: what a neighbour hid is found,
 * too, and `redact` changes nothing the second time.
 *
 * @param options.keep kinds that are not looked for
 */
export function scan(text: string, options: { keep?: ReadonlySet<string> } = {}): Finding[] {
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
  const { keep } = options;
  const shown = keep === undefined ? found : found.filter(({ kind }) => !keep.has(kind));
  return shown.sort((one, other) => one.start - other.start);
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
