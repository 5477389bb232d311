import { memberSpans, type Span } from './json-spans.ts';

/** How a file writes JSON: what stands before a deeper line, or between the items of one line. */
export type Layout = { newline: string; unit: string; comma: string; colon: string };

type Json = string | number | null | readonly Json[] | { readonly [key: string]: Json };

/** The layout of a file by its first members; Jupyter's own is one space and a line feed. */
export function layoutOf(text: string, root: Span): Layout {
  const [first, second] = memberSpans(text, root).values();
  if (first === undefined) return { newline: '\n', unit: ' ', comma: ', ', colon: ': ' };
  const opening = text.slice(root.start + 1, first.key.start);
  const next = second === undefined ? '' : text.slice(first.value.end, second.key.start);
  return {
    newline: opening.includes('\r\n') ? '\r\n' : '\n',
    unit: opening.includes('\n') ? opening.slice(opening.lastIndexOf('\n') + 1) : '',
    comma: next.endsWith(' ') ? ', ' : ',',
    colon: text[first.value.start - 1] === ' ' ? ': ' : ':',
  };
}

/** The white space before what begins its line; `undefined` where it does not begin one. */
export function indentAt(text: string, offset: number): string | undefined {
  const line = text.lastIndexOf('\n', offset - 1) + 1;
  const before = text.slice(line, offset);
  return line > 0 && before.trim() === '' ? before : undefined;
}

/**
 * A value as Jupyter writes it: each item in a line of its own, non-ASCII as it is.
 *
 * @param indent that of the line in which the value begins; `undefined` writes it in one line
 */
export function printJson(value: Json, layout: Layout, indent: string | undefined): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const deeper = indent === undefined ? undefined : indent + layout.unit;
  const [open, close, items] = Array.isArray(value)
    ? ['[', ']', value.map((item: Json) => printJson(item, layout, deeper))]
    : [
        '{',
        '}',
        Object.entries(value).map(
          ([key, item]) => JSON.stringify(key) + layout.colon + printJson(item, layout, deeper),
        ),
      ];
  if (items.length === 0) return open + close;
  if (deeper === undefined) return open + items.join(layout.comma) + close;
  const lines = items.map((item) => layout.newline + deeper + item).join(',');
  return open + lines + layout.newline + indent + close;
}
