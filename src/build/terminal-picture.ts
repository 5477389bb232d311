/** In pixels. A column has the width that a monospaced font of this size takes. */
const fontSize = 13;
const column = 7.8;
const lineHeight = 18;
const margin = 18;

const colours: Readonly<Record<Span['weight'], string>> = {
  plain: '#c9d1d9',
  bold: '#ffffff',
  dim: '#8b949e',
  command: '#7ee787',
};

/** @returns an SVG of the lines, as a dark terminal with this many columns shows them */
export function terminalPicture(lines: readonly (readonly Span[])[], columns: number): string {
  const width = Math.ceil(columns * column + 2 * margin);
  const height = lines.length * lineHeight + 2 * margin;
  const drawn = lines.map((spans, index) => {
    const length = spans.reduce((sum, { text }) => sum + [...text].length, 0);
    if (length === 0) return '';
    const y = margin + index * lineHeight + fontSize;
    const pieces = spans.map(
      ({ text, weight }) =>
        `<tspan fill="${colours[weight]}"${weight === 'bold' ? ' font-weight="bold"' : ''}>${escapeXml(text)}</tspan>`,
    );
    // The length keeps the columns even where the font of a reader is wider.
    return `<text x="${margin}" y="${y}" textLength="${(length * column).toFixed(1)}">${pieces.join('')}</text>\n`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${fontSize}" xml:space="preserve">
<title>A run of cuervo in a terminal</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${drawn.join('')}</svg>
`;
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

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
