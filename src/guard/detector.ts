/** A part of a text: UTF-16 units from `start` up to but not including `end`. */
export type Span = { start: number; end: number };

/** Finds one kind of thing. Linear in the length of the text; spans of one call do not overlap. */
export type Detector = { kind: string; find(text: string): Span[] };

/**
 * A kind by a regular expression with the flag `g`. The expressions of this folder stay linear on
 * any input: each repetition that can fail late is bounded, or starts once a run of its characters
 * by a look-behind.
 */
export type Pattern = {
  kind: string;
  pattern: RegExp;
  /** which group is meant; the whole match without it */
  group?: number;
  /** a further check, e.g. of a check digit */
  accept?: (found: string, place: { text: string } & Span) => boolean;
};

export function detectorOf(part: Detector | Pattern): Detector {
  if ('find' in part) return part;
  const { kind, pattern, group, accept } = part;
  return {
    kind,
    find: (text) => {
      const spans: Span[] = [];
      for (const match of text.matchAll(pattern)) {
        const found = group === undefined ? match[0] : match[group];
        if (found === undefined) continue;
        const start = match.index + (group === undefined ? 0 : match[0].lastIndexOf(found));
        const end = start + found.length;
        if (accept === undefined || accept(found, { text, start, end })) spans.push({ start, end });
      }
      return spans;
    },
  };
}
