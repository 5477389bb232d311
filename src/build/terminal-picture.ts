import type { Span } from './terminal-lines.ts';

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
