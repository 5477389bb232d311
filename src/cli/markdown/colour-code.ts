import { common, createEmphasize } from 'emphasize';
import { blue, bold, cyan, dim, green, italic, red, yellow } from '../style.ts';

/** Styles each line separately, so that lines can be written one by one. */
function byLine(style: (text: string) => string): (text: string) => string {
  return (text) =>
    text
      .split('\n')
      .map((line) => (line === '' ? '' : style(line)))
      .join('\n');
}

const [comment, word, name, text, number] = [dim, cyan, blue, green, yellow].map(byLine);
const sheet = Object.fromEntries(
  Object.entries({
    comment,
    quote: comment,
    keyword: word,
    'selector-tag': word,
    literal: number,
    number,
    string: text,
    regexp: text,
    addition: text,
    title: name,
    section: name,
    built_in: name,
    type: name,
    attr: name,
    attribute: name,
    symbol: number,
    meta: comment,
    deletion: byLine(red),
    emphasis: byLine(italic),
    strong: byLine(bold),
  }).map(([key, style]) => [key, style ?? byLine(dim)]),
);

const emphasize = createEmphasize(common);
/** Lines before a line that its colours may depend on. */
const maxBefore = 200;

/**
 * The last of some lines of code in the colours of its language; unchanged for an unknown language.
 */
export function colourLastLine(lines: readonly string[], language: string): string {
  const last = lines.at(-1) ?? '';
  if (!emphasize.registered(language)) return last;
  try {
    const code = lines.slice(-maxBefore).join('\n');
    return emphasize.highlight(language, code, sheet).value.split('\n').at(-1) ?? last;
  } catch {
    // A grammar that fails costs the colours alone.
    return last;
  }
}
