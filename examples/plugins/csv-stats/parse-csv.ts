/** Rows of cells, as RFC 4180 has them: quotes may hold separators, quotes and line breaks. */
export function parseCsv(text: string, separator = guess(text)): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const body = text.startsWith('\ufeff') ? text.slice(1) : text;
  for (let at = 0; at < body.length; at += 1) {
    const letter = body[at] ?? '';
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (body[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (letter === '"' && cell === '') isQuoted = true;
    else if (letter === separator) {
      row.push(cell);
      cell = '';
    } else if (letter === '\n') {
      rows.push([...row, cell.replace(/\r$/, '')]);
      row = [];
      cell = '';
    } else cell += letter;
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell]);
  return rows.filter((cells) => cells.length > 1 || cells[0] !== '');
}

/** The separator that the first line has most of. */
function guess(text: string): string {
  const [line = ''] = text.split('\n', 1);
  const counts = [',', ';', '\t', '|'].map((each) => ({ each, count: line.split(each).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).each;
}
