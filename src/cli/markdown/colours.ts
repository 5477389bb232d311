import { common, createEmphasize } from 'emphasize';
import { Lexer, type Token, type Tokens } from 'marked';
import { blue, bold, cyan, dim, green, italic, red, underline, yellow } from '../style.ts';

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

/** From here the text may still become emphasis, code or a link. */
const opening = /(?:(?<!\w)_|\*|~~|`|!?\[|<|\\|https?:)(?=\S)|[*_`~[\\!]$/;

/**
 * A line of Markdown in colours, as far as what comes later cannot change it.
 *
 * @param line so far
 * @param from characters of it that were shown before
 * @param isWhole whether nothing follows
 * @returns what is shown now, and how many characters of the line are shown then
 */
export function colourInline(
  line: string,
  from: number,
  isWhole: boolean,
): { text: string; shown: number } {
  const tokens = Lexer.lexInline(line);
  let text = '';
  let at = 0;
  let shown = from;
  const open = isWhole ? tokens.length : firstOpen(tokens);
  for (const [index, token] of tokens.entries()) {
    if (index > open) break;
    const end = at + token.raw.length;
    const isOpen = index === open;
    const raw = isOpen ? settled(token) : token.raw;
    if (end > from && raw !== '') {
      // The part shown before stays as it was shown.
      const isNew = at >= from;
      text += isNew && raw === token.raw ? styleOf(token) : raw.slice(Math.max(0, from - at));
      shown = at + raw.length;
    }
    at = end;
  }
  return { text, shown: Math.max(shown, from) };
}

/** `**a*` is emphasis behind a star until the next star comes. */
function firstOpen(tokens: readonly Token[]): number {
  const last = tokens.length - 1;
  return tokens[last]?.type !== 'text' && tokens[last - 1]?.type === 'text' ? last - 1 : last;
}

function settled(token: Token): string {
  if (token.type !== 'text') return '';
  const at = token.raw.search(opening);
  return at < 0 ? token.raw : token.raw.slice(0, at);
}

function styleOf(token: Token): string {
  switch (token.type) {
    case 'strong':
      return bold(inner(token as Tokens.Strong));
    case 'em':
      return italic(inner(token as Tokens.Em));
    case 'del':
      return dim(inner(token as Tokens.Del));
    case 'codespan':
      return cyan((token as Tokens.Codespan).text);
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'link': {
      const { href, text, raw } = token as Tokens.Link;
      if (!raw.startsWith('[') || href === text) return underline(raw);
      return `${underline(inner(token as Tokens.Link))} ${dim(`(${href})`)}`;
    }
    default:
      return token.raw;
  }
}

function inner({ tokens, text }: { tokens?: Token[]; text: string }): string {
  return tokens === undefined ? text : tokens.map(styleOf).join('');
}
