/** A piece of a line that a terminal shows in one weight. */
export type Span = { text: string; weight: 'plain' | 'bold' | 'dim' | 'command' };

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escapes of terminals begin with one
const sequence = /\u001B\[([\d;?]*)([A-Za-z])/g;
const weights: Readonly<Record<string, Span['weight']>> = { '1': 'bold', '2': 'dim' };

/**
 * The lines that stay on a terminal. Blank lines at the end are left out.
 *
 * @param written lines with `\r\n`. A bare `\r` begins the line anew, as progress does. Bold
 *   and dim are kept, every other escape is dropped.
 * @param columns where a longer line goes on in the next one
 */
export function terminalLines(written: string, columns: number): Span[][] {
  const lines = written
    .split(/\r?\n/)
    .flatMap((line) => wrap(spansOf(line.split('\r').at(-1) ?? ''), columns));
  while (lines.at(-1)?.length === 0) lines.pop();
  return lines;
}

function wrap(spans: readonly Span[], columns: number): Span[][] {
  const lines: Span[][] = [[]];
  let left = columns;
  for (const { text, weight } of spans) {
    let rest = [...text];
    while (rest.length > 0) {
      if (left === 0) {
        lines.push([]);
        left = columns;
      }
      const part = rest.slice(0, left);
      lines.at(-1)?.push({ text: part.join(''), weight });
      rest = rest.slice(left);
      left -= part.length;
    }
  }
  return lines;
}

function spansOf(line: string): Span[] {
  const spans: Span[] = [];
  let weight: Span['weight'] = 'plain';
  let from = 0;
  const take = (to: number): void => {
    if (to > from) spans.push({ text: line.slice(from, to), weight });
  };
  for (const match of line.matchAll(sequence)) {
    const [whole, codes = '', letter] = match;
    take(match.index);
    from = match.index + whole.length;
    if (letter === 'm') weight = weights[codes] ?? 'plain';
  }
  take(line.length);
  return spans;
}
