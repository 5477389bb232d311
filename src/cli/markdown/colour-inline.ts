import { Lexer, type Token, type Tokens } from 'marked';
import { bold, cyan, dim, italic, underline } from '../style.ts';

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
